// SPDX-License-Identifier: GPL-2.0

//! Events of the kernel, ported by hand, with C's text. Those whose tracepoint is fired anyway, or that
//! C exports, have a probe there that fires the port with the same arguments. A line that is written to
//! `/proc/event-ports` fires an event with the values that it contains.

use command::Command;
use core::ptr;
use event::{trace_event, DynArray, Str};
use fs::proc::ProcEntry;
use helpers::task::TaskExt;
use kernel::{
    alloc::Flags,
    bindings,
    ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_ushort, c_void},
    prelude::*,
    str::CString,
    task::Task,
};
#[cfg(CONFIG_X86_64)]
use tracepoint::linux::{kmem::mm_page_alloc, raw_syscalls::sys_enter};
use tracepoint::{
    linux::{
        error_report::error_report_end,
        iommu::map,
        irq::{irq_handler_entry, softirq_entry},
        kmem::kmalloc,
        lock::{contention_begin, contention_end},
        power::cpu_idle,
        sched::{sched_process_fork, sched_switch},
        signal::signal_generate,
        skb::kfree_skb,
        timer::{hrtimer_start, timer_start},
        workqueue::workqueue_execute_start,
    },
    *,
};

mod command;
mod fs;
mod helpers;
mod port_values;

tracepoint_struct! {
    /// What `tcp_probe` takes from a socket and a packet.
    pub(crate) struct TcpState {
        saddr: [u8; 28],
        daddr: [u8; 28],
        sport: u16,
        dport: u16,
        family: u16,
        data_len: u16,
        mark: u32,
        snd_nxt: u32,
        snd_una: u32,
        snd_cwnd: u32,
        ssthresh: u32,
        snd_wnd: u32,
        srtt: u32,
        rcv_wnd: u32,
        sock_cookie: u64,
        skb: usize,
        sk: usize,
    }
}

tracepoint_struct! {
    /// What `net_dev_start_xmit` takes from a packet and its device.
    pub(crate) struct Packet<'a> {
        name: &'a CStr,
        skb: usize,
        net_cookie: u64,
        len: u32,
        data_len: u32,
        network_offset: i32,
        transport_offset: i32,
        queue_mapping: u16,
        vlan_proto: u16,
        vlan_tci: u16,
        protocol: u16,
        gso_size: u16,
        gso_segs: u16,
        gso_type: u16,
        ip_summed: u8,
        tx_flags: u8,
        vlan_tagged: bool,
        transport_offset_valid: bool,
    }
}

tracepoint_struct! {
    /// What `block_rq_issue` takes from a request.
    pub(crate) struct Request<'a> {
        dev: u32,
        nr_sector: u32,
        bytes: u32,
        ioprio: u16,
        sector: u64,
        rwbs: &'a CStr,
        comm: &'a CStr,
    }
}

trace_event! {
    system: "event-ports";

    /// `kmem:kmalloc`
    fn port_kmalloc(
        call_site: usize,
        ptr: *const c_void,
        bytes_req: usize,
        bytes_alloc: usize,
        gfp_flags: u32,
        node: i32,
    ) {
        call_site: c_ulong = call_site,
        ptr: *const c_void = ptr,
        bytes_req: usize = bytes_req,
        bytes_alloc: usize = bytes_alloc,
        gfp_flags: c_ulong = gfp_flags as usize,
        node: c_int = node,
    }
    print "call_site={call_site:pS} ptr={ptr} bytes_req={bytes_req} bytes_alloc={bytes_alloc} \
           gfp_flags={gfp_flags} node={node} accounted={accounted}",
        gfp_flags = print_flags(gfp_flags, Flags),
        accounted = if gfp_flags & 0x400000 != 0 { "true" } else { "false" };

    /// `kmem:mm_page_alloc`. C computes the page's address from its number when it prints the record; here,
    /// the record contains both.
    fn port_mm_page_alloc(page: *const c_void, pfn: usize, order: u32, gfp_flags: u32, migratetype: i32) {
        pfn: c_ulong = if page.is_null() { usize::MAX } else { pfn },
        order: c_uint = order,
        gfp_flags: c_ulong = gfp_flags as usize,
        migratetype: c_int = migratetype,
        page: *const c_void = page,
    }
    print "page={page} pfn=0x{pfn:x} order={order} migratetype={migratetype} gfp_flags={gfp_flags}",
        pfn = if pfn != usize::MAX { pfn } else { 0 },
        order = order as i32,
        gfp_flags = print_flags(gfp_flags, Flags);

    /// `sched:sched_switch`
    fn port_sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32) {
        prev_comm: [c_char; 16] = comm(prev),
        prev_pid: i32 as "pid_t" = prev.pid(),
        prev_prio: c_int = prev.prio(),
        prev_state: c_long = reported_state(preempt, prev_state, exit_state(prev)),
        next_comm: [c_char; 16] = comm(next),
        next_pid: i32 as "pid_t" = next.pid(),
        next_prio: c_int = next.prio(),
    }
    print "prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} prev_state={state}{preempted} ==> \
           next_comm={next_comm} next_pid={next_pid} next_prio={next_prio}",
        state = print_flags(prev_state & 0xff, "|", {
            0 => "R",
            0x01 => "S",
            0x02 => "D",
            0x04 => "T",
            0x08 => "t",
            0x10 => "X",
            0x20 => "Z",
            0x40 => "P",
            0x80 => "I",
        }),
        preempted = if prev_state & 0x100 != 0 { "+" } else { "" };

    /// `sched:sched_process_fork`
    fn port_sched_process_fork(parent: &Task, child: &Task) {
        parent_comm: Str = name(parent),
        parent_pid: i32 as "pid_t" = parent.pid(),
        child_comm: Str = name(child),
        child_pid: i32 as "pid_t" = child.pid(),
    }
    print "comm={parent_comm} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}";

    /// `irq:irq_handler_entry`
    fn port_irq_handler_entry(irq: i32, name: Option<&CStr>) {
        irq: c_int = irq,
        name: Str = name,
    }
    print "irq={irq} name={name}";

    /// `irq:softirq_entry`
    fn port_softirq_entry(vec_nr: u32) {
        vec: c_uint = vec_nr,
    }
    print "vec={vec} [action={action}]",
        action = print_symbolic(vec, {
            0 => "HI",
            1 => "TIMER",
            2 => "NET_TX",
            3 => "NET_RX",
            4 => "BLOCK",
            5 => "IRQ_POLL",
            6 => "TASKLET",
            7 => "SCHED",
            8 => "HRTIMER",
            9 => "RCU",
        });

    /// `timer:hrtimer_start`
    fn port_hrtimer_start(
        hrtimer: *mut c_void,
        function: *mut c_void,
        expires: i64,
        softexpires: i64,
        mode: u32,
        was_armed: bool,
    ) {
        hrtimer: *mut c_void = hrtimer,
        function: *mut c_void = function,
        expires: i64 as "s64" = expires,
        softexpires: i64 as "s64" = softexpires,
        mode: u32 as "enum hrtimer_mode" = mode,
        was_armed: bool = was_armed,
    }
    print "hrtimer={hrtimer} function={function:ps} expires={expires} softexpires={softexpires} mode={mode} \
           was_armed={was_armed}",
        expires = expires as u64,
        softexpires = softexpires as u64,
        mode = print_symbolic(mode, {
            0 => "ABS",
            1 => "REL",
            2 => "ABS|PINNED",
            3 => "REL|PINNED",
            4 => "ABS|SOFT",
            5 => "REL|SOFT",
            6 => "ABS|PINNED|SOFT",
            7 => "REL|PINNED|SOFT",
            8 => "ABS|HARD",
            9 => "REL|HARD",
            10 => "ABS|PINNED|HARD",
            11 => "REL|PINNED|HARD",
        });

    /// `timer:timer_start`
    fn port_timer_start(
        timer: *mut c_void,
        function: *mut c_void,
        expires: usize,
        bucket_expiry: usize,
        now: usize,
        flags: u32,
    ) {
        timer: *mut c_void = timer,
        function: *mut c_void = function,
        expires: c_ulong = expires,
        bucket_expiry: c_ulong = bucket_expiry,
        now: c_ulong = now,
        flags: c_uint = flags,
    }
    print "timer={timer} function={function:ps} expires={expires} [timeout={timeout}] \
           bucket_expiry={bucket_expiry} cpu={cpu} idx={index} flags={flags}",
        timeout = expires as i64 - now as i64,
        cpu = flags & 0x3ffff,
        index = flags >> 22,
        flags = print_flags(flags & 0x3c0000, "|", {
            0x40000 => "M",
            0x80000 => "D",
            0x100000 => "P",
            0x200000 => "I",
        });

    /// `workqueue:workqueue_execute_start`
    fn port_workqueue_execute_start(work: *mut c_void, function: *mut c_void) {
        work: *mut c_void = work,
        function: *mut c_void = function,
    }
    print "work struct {work}: function {function:ps}";

    /// `signal:signal_generate`
    fn port_signal_generate(sig: i32, errno: i32, code: i32, task: &Task, group: i32, result: i32) {
        sig: c_int = sig,
        errno: c_int = errno,
        code: c_int = code,
        comm: [c_char; 16] = comm(task),
        pid: i32 as "pid_t" = task.pid(),
        group: c_int = group,
        result: c_int = result,
    }
    print "sig={sig} errno={errno} code={code} comm={comm} pid={pid} grp={group} res={result}";

    /// `raw_syscalls:sys_enter`
    faultable fn port_sys_enter(id: isize, args: &[usize; 6]) {
        id: c_long = id,
        args: [c_ulong; 6] = args,
    }
    print "NR {id} ({a:x}, {b:x}, {c:x}, {d:x}, {e:x}, {f:x})",
        a = args[0], b = args[1], c = args[2], d = args[3], e = args[4], f = args[5];

    /// `lock:contention_begin`
    fn port_contention_begin(lock: *mut c_void, flags: u32) {
        lock_addr: *mut c_void = lock,
        flags: c_uint = flags,
    }
    print "{lock_addr} (flags={flags})",
        flags = print_flags(flags, "|", {
            0x01 => "SPIN",
            0x02 => "READ",
            0x04 => "WRITE",
            0x08 => "RT",
            0x10 => "PERCPU",
            0x20 => "MUTEX",
        });

    /// `lock:contention_end`
    fn port_contention_end(lock: *mut c_void, ret: i32) {
        lock_addr: *mut c_void = lock,
        ret: c_int = ret,
    }
    print "{lock_addr} (ret={ret})";

    /// `error_report:error_report_end`
    fn port_error_report_end(error_detector: u32, id: usize) {
        error_detector: u32 as "enum error_detector" = error_detector,
        id: c_ulong = id,
    }
    print "[{detector}] {id:x}",
        detector = print_symbolic(error_detector, { 0 => "kfence", 1 => "kasan", 2 => "warning" });

    /// `iommu:map`
    fn port_map(iova: usize, paddr: u64, size: usize) {
        iova: u64 = iova as u64,
        paddr: u64 = paddr,
        size: usize = size,
    }
    print "IOMMU: iova=0x{iova:016x} - 0x{end:016x} paddr=0x{paddr:016x} size={size}",
        end = iova + size as u64;

    /// `power:cpu_idle`
    fn port_cpu_idle(state: u32, cpu_id: u32) {
        state: u32 = state,
        cpu_id: u32 = cpu_id,
    }
    print "state={state} cpu_id={cpu_id}";

    /// `skb:kfree_skb`
    fn port_kfree_skb(
        skb: *mut c_void,
        location: *mut c_void,
        rx_sk: *const c_void,
        protocol: u16,
        reason: u32,
    ) {
        skbaddr: *mut c_void = skb,
        location: *mut c_void = location,
        rx_sk: *const c_void = rx_sk,
        protocol: c_ushort = protocol,
        reason: u32 as "enum skb_drop_reason" = reason,
    }
    print "skbaddr={skbaddr} rx_sk={rx_sk} protocol={protocol} location={location:pS} reason: {reason}",
        reason = print_symbolic(reason, {
            2 => "NOT_SPECIFIED",
            3 => "NO_SOCKET",
            4 => "SOCKET_CLOSE",
            5 => "SOCKET_FILTER",
            6 => "SOCKET_RCVBUFF",
            7 => "UNIX_DISCONNECT",
            8 => "UNIX_SKIP_OOB",
            9 => "PKT_TOO_SMALL",
            10 => "TCP_CSUM",
            11 => "UDP_CSUM",
            12 => "NETFILTER_DROP",
            13 => "OTHERHOST",
            14 => "IP_CSUM",
            15 => "IP_INHDR",
            16 => "IP_RPFILTER",
            17 => "UNICAST_IN_L2_MULTICAST",
            18 => "XFRM_POLICY",
            19 => "IP_NOPROTO",
            20 => "PROTO_MEM",
            21 => "TCP_AUTH_HDR",
            22 => "TCP_MD5NOTFOUND",
            23 => "TCP_MD5UNEXPECTED",
            24 => "TCP_MD5FAILURE",
            25 => "TCP_AONOTFOUND",
            26 => "TCP_AOUNEXPECTED",
            27 => "TCP_AOKEYNOTFOUND",
            28 => "TCP_AOFAILURE",
            29 => "SOCKET_BACKLOG",
            30 => "TCP_FLAGS",
            31 => "TCP_ABORT_ON_DATA",
            32 => "TCP_ZEROWINDOW",
            33 => "TCP_OLD_DATA",
            34 => "TCP_OVERWINDOW",
            35 => "TCP_OFOMERGE",
            36 => "TCP_RFC7323_PAWS",
            37 => "TCP_RFC7323_PAWS_ACK",
            38 => "TCP_RFC7323_TW_PAWS",
            39 => "TCP_RFC7323_TSECR",
            40 => "TCP_LISTEN_OVERFLOW",
            41 => "TCP_OLD_SEQUENCE",
            42 => "TCP_INVALID_SEQUENCE",
            43 => "TCP_INVALID_END_SEQUENCE",
            44 => "TCP_INVALID_ACK_SEQUENCE",
            45 => "TCP_RESET",
            46 => "TCP_INVALID_SYN",
            47 => "TCP_CLOSE",
            48 => "TCP_FASTOPEN",
            49 => "TCP_OLD_ACK",
            50 => "TCP_TOO_OLD_ACK",
            51 => "TCP_ACK_UNSENT_DATA",
            52 => "TCP_OFO_QUEUE_PRUNE",
            53 => "TCP_OFO_DROP",
            54 => "IP_OUTNOROUTES",
            55 => "BPF_CGROUP_EGRESS",
            56 => "IPV6DISABLED",
            57 => "NEIGH_CREATEFAIL",
            58 => "NEIGH_FAILED",
            59 => "NEIGH_QUEUEFULL",
            60 => "NEIGH_DEAD",
            61 => "NEIGH_HH_FILLFAIL",
            62 => "TC_EGRESS",
            63 => "SECURITY_HOOK",
            64 => "QDISC_DROP",
            65 => "QDISC_BURST_DROP",
            66 => "CPU_BACKLOG",
            67 => "MACVLAN_BROADCAST_BACKLOG",
            68 => "IPVLAN_MULTICAST_BACKLOG",
            69 => "XDP",
            70 => "TC_INGRESS",
            71 => "UNHANDLED_PROTO",
            72 => "SKB_CSUM",
            73 => "SKB_GSO_SEG",
            74 => "SKB_BAD_GSO",
            75 => "SKB_UCOPY_FAULT",
            76 => "DEV_HDR",
            77 => "DEV_READY",
            78 => "FULL_RING",
            79 => "NOMEM",
            80 => "HDR_TRUNC",
            81 => "TAP_FILTER",
            82 => "TAP_TXFILTER",
            83 => "ICMP_CSUM",
            84 => "INVALID_PROTO",
            85 => "IP_INADDRERRORS",
            86 => "IP_INNOROUTES",
            87 => "IP_LOCAL_SOURCE",
            88 => "IP_INVALID_SOURCE",
            89 => "IP_LOCALNET",
            90 => "IP_INVALID_DEST",
            91 => "PKT_TOO_BIG",
            92 => "DUP_FRAG",
            93 => "FRAG_REASM_TIMEOUT",
            94 => "FRAG_TOO_FAR",
            95 => "TCP_MINTTL",
            96 => "IPV6_BAD_EXTHDR",
            97 => "IPV6_TOO_MANY_EXTHDRS",
            98 => "IPV6_NDISC_FRAG",
            99 => "IPV6_NDISC_HOP_LIMIT",
            100 => "IPV6_NDISC_BAD_CODE",
            101 => "IPV6_NDISC_BAD_OPTIONS",
            102 => "IPV6_NDISC_NS_OTHERHOST",
            103 => "QUEUE_PURGE",
            104 => "TC_COOKIE_ERROR",
            105 => "PACKET_SOCK_ERROR",
            106 => "TC_CHAIN_NOTFOUND",
            107 => "TC_RECLASSIFY_LOOP",
            108 => "VXLAN_INVALID_HDR",
            109 => "VXLAN_VNI_NOT_FOUND",
            110 => "MAC_INVALID_SOURCE",
            111 => "VXLAN_ENTRY_EXISTS",
            112 => "NO_TX_TARGET",
            113 => "IP_TUNNEL_ECN",
            114 => "TUNNEL_TXINFO",
            115 => "LOCAL_MAC",
            116 => "ARP_PVLAN_DISABLE",
            117 => "MAC_IEEE_MAC_CONTROL",
            118 => "BRIDGE_INGRESS_STP_STATE",
            119 => "CAN_RX_INVALID_FRAME",
            120 => "CANFD_RX_INVALID_FRAME",
            121 => "CANXL_RX_INVALID_FRAME",
            122 => "PFMEMALLOC",
            123 => "PSP_INPUT",
            124 => "PSP_OUTPUT",
            125 => "RECURSION_LIMIT",
            126 => "MAX",
        });

    /// `block:block_rq_issue`
    fn port_block_rq_issue(rq: &Request<'_>) {
        dev: u32 as "dev_t" = rq.dev,
        sector: u64 as "sector_t" = rq.sector,
        nr_sector: c_uint = rq.nr_sector,
        bytes: c_uint = rq.bytes,
        ioprio: c_ushort = rq.ioprio,
        rwbs: [c_char; 10] = rq.rwbs,
        comm: [c_char; 16] = rq.comm,
        cmd: Str = c"",
    }
    print "{major},{minor} {rwbs} {bytes} ({cmd}) {sector} + {nr_sector} {class},{hint},{level} [{comm}]",
        major = dev >> 20,
        minor = dev & 0xfffff,
        class = print_symbolic(ioprio >> 13 & 7, {
            0 => "none",
            1 => "rt",
            2 => "be",
            3 => "idle",
            7 => "invalid",
        }),
        hint = ioprio >> 3 & 0x3ff,
        level = ioprio & 7;

    /// `tcp:tcp_probe`
    fn port_tcp_probe(tcp: &TcpState) {
        saddr: [u8; 28] as "__u8" = &tcp.saddr,
        daddr: [u8; 28] as "__u8" = &tcp.daddr,
        sport: u16 as "__u16" = tcp.sport,
        dport: u16 as "__u16" = tcp.dport,
        family: u16 as "__u16" = tcp.family,
        mark: u32 as "__u32" = tcp.mark,
        data_len: u16 as "__u16" = tcp.data_len,
        snd_nxt: u32 as "__u32" = tcp.snd_nxt,
        snd_una: u32 as "__u32" = tcp.snd_una,
        snd_cwnd: u32 as "__u32" = tcp.snd_cwnd,
        ssthresh: u32 as "__u32" = tcp.ssthresh,
        snd_wnd: u32 as "__u32" = tcp.snd_wnd,
        srtt: u32 as "__u32" = tcp.srtt,
        rcv_wnd: u32 as "__u32" = tcp.rcv_wnd,
        sock_cookie: u64 as "__u64" = tcp.sock_cookie,
        skbaddr: *const c_void = tcp.skb as *const c_void,
        skaddr: *const c_void = tcp.sk as *const c_void,
    }
    print "family={family} src={saddr:pISpc} dest={daddr:pISpc} mark={mark:#x} data_len={data_len} \
           snd_nxt={snd_nxt:#x} snd_una={snd_una:#x} snd_cwnd={snd_cwnd} ssthresh={ssthresh} snd_wnd={snd_wnd} \
           srtt={srtt} rcv_wnd={rcv_wnd} sock_cookie={sock_cookie:x} skbaddr={skbaddr} skaddr={skaddr}",
        family = print_symbolic(family, { 2 => "AF_INET", 10 => "AF_INET6" });

    /// `i2c:i2c_write`
    fn port_i2c_write(adapter_nr: i32, msg_nr: i32, addr: u16, flags: u16, buf: &[u8]) {
        adapter_nr: c_int = adapter_nr,
        msg_nr: u16 as "__u16" = msg_nr as u16,
        addr: u16 as "__u16" = addr,
        flags: u16 as "__u16" = flags,
        len: u16 as "__u16" = buf.len() as u16,
        buf: DynArray<u8> as "__u8" = buf,
    }
    print "i2c-{adapter_nr} #{msg_nr} a={addr:03x} f={flags:04x} l={len} [{buf:phD}]";

    /// `net:net_dev_start_xmit`
    fn port_net_dev_start_xmit(skb: &Packet<'_>) {
        name: Str = skb.name,
        queue_mapping: u16 = skb.queue_mapping,
        skbaddr: *const c_void = skb.skb as *const c_void,
        vlan_tagged: bool = skb.vlan_tagged,
        vlan_proto: u16 = skb.vlan_proto,
        vlan_tci: u16 = skb.vlan_tci,
        protocol: u16 = skb.protocol,
        ip_summed: u8 = skb.ip_summed,
        len: c_uint = skb.len,
        data_len: c_uint = skb.data_len,
        network_offset: c_int = skb.network_offset,
        transport_offset_valid: bool = skb.transport_offset_valid,
        transport_offset: c_int = if skb.transport_offset_valid { skb.transport_offset } else { 0 },
        tx_flags: u8 = skb.tx_flags,
        gso_size: u16 = skb.gso_size,
        gso_segs: u16 = skb.gso_segs,
        gso_type: u16 = skb.gso_type,
        net_cookie: u64 = skb.net_cookie,
    }
    print "dev={name} queue_mapping={queue_mapping} skbaddr={skbaddr} vlan_tagged={vlan_tagged} \
           vlan_proto=0x{vlan_proto:04x} vlan_tci=0x{vlan_tci:04x} protocol=0x{protocol:04x} \
           ip_summed={ip_summed} len={len} data_len={data_len} network_offset={network_offset} \
           transport_offset_valid={transport_offset_valid} transport_offset={transport_offset} \
           tx_flags={tx_flags} gso_size={gso_size} gso_segs={gso_segs} gso_type={gso_type:#x} \
           net_cookie={net_cookie}";

    /// `ext4:ext4_free_blocks`
    fn port_ext4_free_blocks(dev: u32, ino: u64, mode: u16, block: u64, count: usize, flags: i32) {
        ino: u64 = ino,
        block: u64 as "__u64" = block,
        count: c_ulong = count,
        dev: u32 as "dev_t" = dev,
        flags: c_int = flags,
        mode: u16 as "__u16" = mode,
    }
    print "dev {major},{minor} ino {ino} mode 0{mode:o} block {block} count {count} flags {flags}",
        major = dev >> 20,
        minor = dev & 0xfffff,
        flags = print_flags(flags as i64, "|", {
            0x01 => "METADATA",
            0x02 => "FORGET",
            0x04 => "VALIDATED",
            0x08 => "NO_QUOTA",
            0x10 => "1ST_CLUSTER",
            0x20 => "LAST_CLUSTER",
        });

    /// `gpio:gpio_value`
    fn port_gpio_value(gpio: u32, get: i32, value: i32) {
        gpio: c_uint as "unsigned" = gpio,
        get: c_int = get,
        value: c_int = value,
    }
    print "{gpio} {what:>3} {value}", what = if get != 0 { "get" } else { "set" };

    /// `writeback:writeback_dirty_folio`
    fn port_writeback_dirty_folio(name: &CStr, ino: u64, index: usize) {
        name: [c_char; 32] = name,
        ino: u64 = ino,
        index: c_ulong = index,
    }
    print "bdi {name}: ino={ino} index={index}";

    /// `regmap:regmap_reg_write`
    fn port_regmap_reg_write(name: Option<&CStr>, reg: u32, val: u32) {
        name: Str = name,
        reg: c_uint = reg,
        val: c_uint = val,
    }
    print "{name} reg={reg:x} val={val:x}";
}

/// Returns `task->comm`.
#[inline(always)]
fn comm(task: &Task) -> &[u8; 16] {
    // SAFETY: The task is alive as long as the reference. As in C, the name may change meanwhile.
    unsafe { &*(&raw const (*task.as_ptr()).comm).cast() }
}

/// Returns the same without the NUL.
#[inline(always)]
fn name(task: &Task) -> &[u8] {
    comm(task).split(|c| *c == 0).next().unwrap_or(&[])
}

/// Returns `task->exit_state`.
#[inline(always)]
fn exit_state(task: &Task) -> u32 {
    // SAFETY: The task is alive as long as the reference, and `exit_state` is a single word.
    unsafe { (&raw const (*task.as_ptr()).exit_state).read_volatile() as u32 }
}

/// C: `__trace_sched_switch_state()`.
#[inline(always)]
fn reported_state(preempt: bool, state: u32, exit_state: u32) -> c_long {
    const IDLE: u32 = 0x402;
    const RTLOCK_WAIT_OR_FROZEN: u32 = 0x9000;

    if preempt {
        return 0x100;
    }
    let reported = if state & RTLOCK_WAIT_OR_FROZEN != 0 {
        0x02
    } else if state & IDLE == IDLE {
        0x80
    } else {
        (state | exit_state) & 0x7f
    };
    if reported == 0 {
        0
    } else {
        1 << reported.ilog2()
    }
}

/// Reads a string that may be missing.
///
/// # Safety
///
/// The pointer must be NULL or that of a C string that stays unchanged for `'a`.
unsafe fn string<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: The caller promises that `text`, if it isn't NULL, is a C string that stays unchanged
    // for `'a`.
    (!text.is_null()).then(|| unsafe { CStr::from_char_ptr(text) })
}

/// Attaches probes to C's tracepoints that fire the ports.
fn mirror(probes: &mut ProbeGroup) -> Result {
    probes.push(kmalloc.register(|site, ptr, req, alloc, flags, node| {
        trace!(port_kmalloc(site, ptr, req, alloc, flags, node))
    })?)?;
    #[cfg(CONFIG_X86_64)]
    probes.push(mm_page_alloc.register(|page, order, flags, migratetype| {
        // SAFETY: `vmemmap_base` is `__ro_after_init` (arch/x86/kernel/head64.c).
        let base = unsafe { (&raw const bindings::vmemmap_base).read() };
        let pfn = page.addr().wrapping_sub(base) / size_of::<bindings::page>();
        trace!(port_mm_page_alloc(
            page.cast(),
            pfn,
            order,
            flags,
            migratetype
        ))
    })?)?;
    probes.push(sched_switch.register(|preempt, prev, next, state| {
        trace!(port_sched_switch(preempt, prev, next, state))
    })?)?;
    probes.push(
        sched_process_fork
            .register(|parent, child| trace!(port_sched_process_fork(parent, child)))?,
    )?;
    probes.push(irq_handler_entry.register(|irq, action| {
        // SAFETY: C fires this while it handles the interrupt (`__handle_irq_event_percpu()`,
        // kernel/irq/handle.c), and the action and its name stay until that's done.
        trace!(port_irq_handler_entry(irq, unsafe {
            string((*action).name)
        }))
    })?)?;
    probes.push(softirq_entry.register(|vec| trace!(port_softirq_entry(vec)))?)?;
    probes.push(hrtimer_start.register(|timer, mode, was_armed| {
        // SAFETY: C fires this with the timer's base locked (`debug_activate()`,
        // kernel/time/hrtimer.c), so the timer is valid and nobody else starts or cancels it.
        let t = unsafe { &*timer };
        trace!(port_hrtimer_start(
            timer.cast(),
            t.function.map_or(ptr::null_mut(), |f| f as *mut c_void),
            t.node.expires,
            t._softexpires,
            mode,
            was_armed
        ))
    })?)?;
    probes.push(timer_start.register(|timer, bucket_expiry| {
        // SAFETY: `enqueue_timer()` (kernel/time/timer.c) fires this with the timer's base locked,
        // so the timer is valid and nobody else changes it.
        let t = unsafe { &*timer };
        // SAFETY: The kernel writes `jiffies` (include/linux/jiffies.h) as a single word.
        let now = unsafe { (&raw const bindings::jiffies).read_volatile() };
        trace!(port_timer_start(
            timer.cast(),
            t.function.map_or(ptr::null_mut(), |f| f as *mut c_void),
            t.expires,
            bucket_expiry,
            now,
            t.flags
        ))
    })?)?;
    probes.push(workqueue_execute_start.register(|work| {
        // SAFETY: The work hasn't run yet (`process_one_work()`, kernel/workqueue.c), so it exists.
        let function = unsafe { (*work).func }.map_or(ptr::null_mut(), |f| f as *mut c_void);
        trace!(port_workqueue_execute_start(work.cast(), function))
    })?)?;
    probes.push(signal_generate.register(|sig, info, task, group, result| {
        let (errno, code) = match info.addr() {
            0 => (0, 0),
            1 => (0, 0x80),
            _ => {
                // SAFETY: `TP_STORE_SIGINFO()` (include/trace/events/signal.h) follows these, too.
                let info = unsafe { &(*info).__bindgen_anon_1 };
                (info.si_errno, info.si_code)
            }
        };
        trace!(port_signal_generate(sig, errno, code, task, group, result))
    })?)?;
    #[cfg(CONFIG_X86_64)]
    // SAFETY: `trace_syscall_enter()` (kernel/entry/syscall-common.c) passes these, which are valid during
    // the system call. No task is in one while the kernel switches from C's probe to this one and back.
    probes.push(unsafe {
        let port = |regs: *mut bindings::pt_regs, id| {
            let r = &*regs;
            trace!(port_sys_enter(id, &[r.di, r.si, r.dx, r.r10, r.r8, r.r9]))
        };
        sys_enter.register_unchecked(port, DEFAULT_PRIO)?
    })?;
    probes.push(
        contention_begin.register(|lock, flags| trace!(port_contention_begin(lock, flags)))?,
    )?;
    probes.push(contention_end.register(|lock, ret| trace!(port_contention_end(lock, ret)))?)?;
    probes.push(
        error_report_end.register(|detector, id| trace!(port_error_report_end(detector, id)))?,
    )?;
    probes.push(map.register(|iova, paddr, size| trace!(port_map(iova, paddr, size)))?)?;
    probes.push(cpu_idle.register(|state, cpu_id| trace!(port_cpu_idle(state, cpu_id)))?)?;
    probes.push(kfree_skb.register(|skb, location, reason, rx_sk| {
        // SAFETY: `__sk_skb_reason_drop()` (net/core/skbuff.c) frees the packet after this.
        let protocol = unsafe { (*skb).__bindgen_anon_4.headers.as_ref().protocol };
        trace!(port_kfree_skb(
            skb.cast(),
            location,
            rx_sk.cast(),
            u16::from_be(protocol),
            reason
        ))
    })?)?;
    Ok(())
}

struct EventPorts {
    _fire: ProcEntry<Command>,
    _probes: ProbeGroup,
}

impl kernel::Module for EventPorts {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let mut probes = ProbeGroup::new();
        mirror(&mut probes)?;
        Ok(Self {
            _fire: ProcEntry::new(c"event-ports", 0o200, None, Command(port_values::fire))?,
            _probes: probes,
        })
    }
}

module! {
    type: EventPorts,
    name: "event_ports",
    description: "The kernel's events, ported by hand",
    license: "GPL",
}
