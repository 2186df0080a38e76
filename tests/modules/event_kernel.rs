// SPDX-License-Identifier: GPL-2.0

//! Events from the kernel's `include/trace/events/`, with the same fields. The values don't matter:
//! they are derived from the number written to `/proc/event-kernel`.

use command::Command;
use core::ffi::c_void;
use event::{trace_custom_event, trace_event, Str, TraceEnum, TraceFlags};
use fs::proc::ProcEntry;
use kernel::{
    ffi::{c_char, c_int, c_uint, c_ulong, c_ushort},
    prelude::*,
    str::CString,
    task::Task,
};
use tracepoint::{
    args::{Pointee, Type},
    linux::FromKernel,
    *,
};

mod command;
mod fs;

kernel::impl_flags!(
    /// `task_struct::__state`, as `sched_switch` shows it.
    #[derive(Clone, Copy)]
    pub(crate) struct TaskState(i64);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(TaskState, "|")]
    pub(crate) enum TaskStateFlag {
        #[name = "S"]
        Interruptible = 0x01,
        #[name = "D"]
        Uninterruptible = 0x02,
        #[name = "T"]
        Stopped = 0x04,
        #[name = "t"]
        Traced = 0x08,
        #[name = "X"]
        Dead = 0x10,
        #[name = "Z"]
        Zombie = 0x20,
        #[name = "P"]
        Parked = 0x40,
        #[name = "I"]
        Idle = 0x80,
    }
);

/// `TCP_*`.
#[derive(Clone, Copy, TraceEnum)]
#[repr(i32)]
pub(crate) enum TcpState {
    #[name = "TCP_ESTABLISHED"]
    Established = 1,
    #[name = "TCP_SYN_SENT"]
    SynSent = 2,
    #[name = "TCP_CLOSE"]
    Close = 7,
    #[name = "TCP_LISTEN"]
    Listen = 10,
}

impl TcpState {
    fn new(n: u64) -> Self {
        match n % 4 {
            0 => Self::Established,
            1 => Self::SynSent,
            2 => Self::Close,
            _ => Self::Listen,
        }
    }
}

/// Repeats the bytes of a number.
fn bytes<const N: usize>(n: u64) -> [u8; N] {
    let mut bytes = [0; N];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = n.to_le_bytes()[i % 8];
    }
    bytes
}

trace_event! {
    system: "event-kernel";

    /// `sched_switch`
    pub(crate) fn k_sched_switch(n: u64, name: &CStr) {
        prev_comm: [c_char; 16] = name,
        prev_pid: i32 as "pid_t" = n as i32,
        prev_prio: c_int = n as c_int,
        prev_state: TaskState as "long" = TaskState(n as i64),
        next_comm: [c_char; 16] = name,
        next_pid: i32 as "pid_t" = n as i32 + 1,
        next_prio: c_int = 120,
    }
    print "prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} \
           prev_state={prev_state} ==> next_comm={next_comm} next_pid={next_pid} \
           next_prio={next_prio}";

    /// `block_rq`
    class k_block_rq(n: u64, name: &CStr) {
        dev: u32 as "dev_t" = n as u32,
        sector: u64 as "sector_t" = n,
        nr_sector: c_uint = n as c_uint,
        bytes: c_uint = n as c_uint,
        ioprio: c_ushort = n as c_ushort,
        rwbs: [c_char; 10] = c"WS",
        comm: [c_char; 16] = name,
        cmd: Str = c"",
    }
    print "{dev:#x} {rwbs} {bytes} ({cmd}) {sector} + {nr_sector} {class} [{comm}]",
        class = print_symbolic(ioprio, { 0 => "none", 1 => "rt", 2 => "be", 3 => "idle" })
    events {
        pub(crate) fn k_block_rq_insert;
        pub(crate) fn k_block_rq_issue;
        pub(crate) fn k_block_rq_merge;
    }

    /// `net_dev_start_xmit`
    pub(crate) fn k_net_dev_start_xmit(n: u64, name: &CStr) {
        name: Str = name,
        queue_mapping: u16 = n as u16,
        skbaddr: *const c_void = n as *const c_void,
        vlan_tagged: bool = n & 1 == 1,
        vlan_proto: u16 = n as u16,
        vlan_tci: u16 = n as u16,
        protocol: u16 = 0x800,
        ip_summed: u8 = n as u8,
        len: c_uint = n as c_uint,
        data_len: c_uint = n as c_uint,
        network_offset: c_int = -14,
        transport_offset_valid: bool = n & 2 == 2,
        transport_offset: c_int = n as c_int,
        tx_flags: u8 = n as u8,
        gso_size: u16 = n as u16,
        gso_segs: u16 = n as u16,
        gso_type: u16 = n as u16,
        net_cookie: u64 = n,
    }
    print "dev={name} queue_mapping={queue_mapping} skbaddr={skbaddr:px} vlan_tagged={vlan_tagged} \
           vlan_proto={vlan_proto:#06x} vlan_tci={vlan_tci:#06x} protocol={protocol:#06x} \
           ip_summed={ip_summed} len={len} data_len={data_len} network_offset={network_offset} \
           transport_offset_valid={transport_offset_valid} transport_offset={transport_offset} \
           tx_flags={tx_flags} gso_size={gso_size} gso_segs={gso_segs} gso_type={gso_type:#x} \
           net_cookie={net_cookie}";

    /// `inet_sock_set_state`
    pub(crate) fn k_inet_sock_set_state(n: u64) {
        skaddr: *const c_void = n as *const c_void,
        oldstate: TcpState as "int" = TcpState::new(n),
        newstate: TcpState as "int" = TcpState::new(n + 1),
        sport: u16 as "__u16" = n as u16,
        dport: u16 as "__u16" = n as u16,
        family: u16 as "__u16" = if n & 1 == 1 { 2 } else { 10 },
        protocol: u16 as "__u16" = 6,
        saddr: [u8; 4] as "__u8" = bytes(n),
        daddr: [u8; 4] as "__u8" = bytes(n),
        saddr_v6: [u8; 16] as "__u8" = bytes(n),
        daddr_v6: [u8; 16] as "__u8" = bytes(n),
    }
    print "family={family_name} protocol={protocol} sport={sport} dport={dport} \
           saddr={saddr:print_hex} daddr={daddr:print_hex} saddrv6={saddr_v6:print_hex_str} \
           daddrv6={daddr_v6:print_hex_str} oldstate={oldstate} newstate={newstate}",
        family_name = print_symbolic(family, { 2 => "AF_INET", 10 => "AF_INET6" });

    /// `tcp_probe`
    pub(crate) fn k_tcp_probe(n: u64) {
        saddr: [u8; 28] as "__u8" = bytes(n),
        daddr: [u8; 28] as "__u8" = bytes(n),
        sport: u16 as "__u16" = n as u16,
        dport: u16 as "__u16" = n as u16,
        family: u16 as "__u16" = n as u16,
        mark: u32 as "__u32" = n as u32,
        data_len: u16 as "__u16" = n as u16,
        snd_nxt: u32 as "__u32" = n as u32,
        snd_una: u32 as "__u32" = n as u32,
        snd_cwnd: u32 as "__u32" = n as u32,
        ssthresh: u32 as "__u32" = n as u32,
        snd_wnd: u32 as "__u32" = n as u32,
        srtt: u32 as "__u32" = n as u32,
        rcv_wnd: u32 as "__u32" = n as u32,
        sock_cookie: u64 as "__u64" = n,
        skbaddr: *const c_void = n as *const c_void,
        skaddr: *const c_void = n as *const c_void,
    }
    print "family={family} src={saddr:print_hex} dest={daddr:print_hex} mark={mark:#x} \
           data_len={data_len} snd_nxt={snd_nxt:#x} snd_una={snd_una:#x} snd_cwnd={snd_cwnd} \
           ssthresh={ssthresh} snd_wnd={snd_wnd} srtt={srtt} rcv_wnd={rcv_wnd} \
           sock_cookie={sock_cookie:x} sport={sport} dport={dport} skbaddr={skbaddr:px} skaddr={skaddr:px}";

    /// `neigh_update`
    pub(crate) fn k_neigh_update(n: u64, name: &CStr) {
        family: u32 = n as u32,
        dev: Str = name,
        lladdr: [u8; 32] = bytes(n),
        lladdr_len: u8 = n as u8,
        flags: u8 = n as u8,
        nud_state: u8 = n as u8,
        r#type: u8 = n as u8,
        dead: u8 = n as u8,
        refcnt: c_int = n as c_int,
        primary_key4: [u8; 4] as "__u8" = bytes(n),
        primary_key6: [u8; 16] as "__u8" = bytes(n),
        confirmed: c_ulong = n as c_ulong,
        updated: c_ulong = n as c_ulong,
        used: c_ulong = n as c_ulong,
        new_lladdr: [u8; 32] = bytes(n),
        new_state: u8 = n as u8,
        update_flags: u32 = n as u32,
        pid: u32 = n as u32,
    }
    print "family {family} dev {dev} lladdr {lladdr:print_hex_str} {lladdr_len} flags {flags:02x} \
           nud_state {state} type {type:02x} dead {dead} refcnt {refcnt} \
           primary_key4 {primary_key4} primary_key6 {primary_key6:print_hex_str} \
           confirmed {confirmed} updated {updated} used {used} \
           new_lladdr {new_lladdr:print_hex_str} new_state {new_state} \
           update_flags {update_flags:02x} pid {pid}",
        state = print_symbolic(nud_state, {
            0x01 => "incomplete",
            0x02 => "reachable",
            0x04 => "stale",
            0x80 => "permanent",
        });

    /// `signal_generate`
    pub(crate) fn k_signal_generate(n: u64, name: &CStr) {
        sig: c_int = n as c_int,
        errno: c_int = -c_int::from(n as u8),
        code: c_int = n as c_int,
        comm: [c_char; 16] = name,
        pid: i32 as "pid_t" = n as i32,
        group: c_int = n as c_int & 1,
        result: c_int = n as c_int,
    }
    print "sig={sig} errno={errno} code={code} comm={comm} pid={pid} grp={group} res={result}";
}

/// The memory that is freed. Only its address is used.
pub(crate) struct Memory;

// SAFETY: The type has no bytes, so every pointer that isn't NULL is a valid one to it. No other
// type has its name.
unsafe impl Pointee for Memory {
    type C = c_void;
    type At<'a> = Self;
    const TYPE: Type = Type::Name("event_kernel::Memory");
}

// SAFETY: Every pointer that C passes is a valid one to a type without bytes, except for NULL,
// which `Arg::is_valid` rejects.
unsafe impl FromKernel for &Memory {}

trace_custom_event! {
    system: "custom_kernel";

    /// Doesn't record `kfree(NULL)`.
    pub(crate) fn kfree(call_site: usize, ptr: &Memory) {
        ptr: usize = core::ptr::from_ref(ptr).addr(),
    }
    print "{ptr:#x}";

    /// A custom class: two of the kernel's tracepoints, one kind of record.
    class woken(task: &Task) {
        pid: i32 as "pid_t" = task.pid(),
    }
    print "pid={pid}"
    events {
        fn sched_waking;
        fn sched_wakeup print "woken pid={pid}";
    }
}

fn fire(text: &str) -> Result {
    let n: u64 = text.trim().parse().map_err(|_| EINVAL)?;
    let name = CString::try_from_fmt(fmt!("name{n}"))?;
    trace!(k_sched_switch(n, &name));
    trace!(k_block_rq_insert(n, &name));
    trace!(k_block_rq_issue(n, &name));
    trace!(k_block_rq_merge(n, &name));
    trace!(k_net_dev_start_xmit(n, &name));
    trace!(k_inet_sock_set_state(n));
    trace!(k_tcp_probe(n));
    trace!(k_neigh_update(n, &name));
    trace!(k_signal_generate(n, &name));
    Ok(())
}

struct EventKernel {
    _fire: ProcEntry<Command>,
}

impl kernel::Module for EventKernel {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _fire: ProcEntry::new(c"event-kernel", 0o200, None, Command(fire))?,
        })
    }
}

module! {
    type: EventKernel,
    name: "event_kernel",
    description: "The kernel's events in Rust",
    license: "GPL",
}
