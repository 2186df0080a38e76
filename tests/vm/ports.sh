#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Events of the kernel, ported by hand: their text must be C's. Where C's event is fired too, for
# the same values, both must print the same. For other values, the lines below are what TP_printk()
# in the kernel's include/trace/events prints.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
ports=$tracing/events/event-ports
# C fires these by itself, or is made to by chosen().
mirrored="kmalloc mm_page_alloc sched_switch sched_process_fork irq_handler_entry softirq_entry
hrtimer_start timer_start workqueue_execute_start signal_generate sys_enter contention_begin
contention_end error_report_end map cpu_idle kfree_skb"
[ "$(uname -m)" = x86_64 ] || mirrored=$(echo "$mirrored" | sed 's/ mm_page_alloc//; s/ sys_enter//')
[ -e $tracing/events/iommu ] || {
	ok "ports: map # SKIP the kernel has no IOMMU"
	mirrored=$(echo "$mirrored" | sed 's/ map / /')
}

# set_events VALUE
set_events() {
	for event in $mirrored; do
		for file in $tracing/events/*/$event/enable; do
			echo "$1" >"$file" || return
		done
	done
}

# Values that C's events get as well: zero, the largest ones, unknown bits and values. C's kmalloc
# doesn't get unknown bits, since its table of flags has a name that is NULL, for 0. Whatever is
# left of the flags reaches it, and the kernel crashes when it prints the record.
chosen() {
	cat <<'END'
kmalloc 0 0 0 0 0 -1
kmalloc -1 -1 -1 -1 16776703 2147483647
kmalloc 0 0 1 8 256 -2147483648
kmalloc 0 0 1 8 1844426 0
kmalloc 0 0 1 8 4197568 0
kmalloc 0 0 1 8 3265 0
contention_begin 0 0
contention_begin 0 63
contention_begin -1 4294967295
contention_end 0 -2147483648
contention_end 1 2147483647
error_report_end 0 0
error_report_end 2 -1
error_report_end 4294967295 1
map 0 0 0
map -1 -1 2
map 4096 -1 -1
cpu_idle 4294967295 4294967295
END
}

# What only the port gets, each followed by its text. Two texts differ from C's in the kernel: C ends a list
# of bytes (%*phD) after 64, though tools don't, and crashes for kmalloc's unknown flags, as above.
values() {
	cat <<'END'
port_kmalloc 0 0 0 0 33554944 0
call_site=0x0 ptr=0000000000000000 bytes_req=0 bytes_alloc=0 gfp_flags=0x2000200 node=0 accounted=false
port_kmalloc 0 0 0 0 4278190079 -1
call_site=0x0 ptr=0000000000000000 bytes_req=0 bytes_alloc=0 gfp_flags=GFP_TRANSHUGE|GFP_ATOMIC|GFP_DMA|GFP_DMA32|__GFP_RECLAIMABLE|__GFP_ZERO|__GFP_WRITE|__GFP_RETRY_MAYFAIL|__GFP_NOFAIL|__GFP_NORETRY|__GFP_MEMALLOC|__GFP_THISNODE|__GFP_ACCOUNT|__GFP_ZEROTAGS|0xfe000200 node=-1 accounted=true
port_mm_page_alloc 0 5 0 0 0
page=0000000000000000 pfn=0x0 order=0 migratetype=0 gfp_flags=none
port_mm_page_alloc 0 5 4294967295 33554432 -1
page=0000000000000000 pfn=0x0 order=-1 migratetype=-1 gfp_flags=0x2000000
port_irq_handler_entry -1
irq=-1 name=(null)
port_irq_handler_entry 2147483647 "
irq=2147483647 name=
port_softirq_entry 10
vec=10 [action=0xa]
port_softirq_entry 4294967295
vec=4294967295 [action=0xffffffff]
port_hrtimer_start 0 0 -1 -9223372036854775808 16 1
hrtimer=0000000000000000 function=0x0 expires=18446744073709551615 softexpires=9223372036854775808 mode=0x10 was_armed=1
port_hrtimer_start 0 0 0 0 11 0
hrtimer=0000000000000000 function=0x0 expires=0 softexpires=0 mode=REL|PINNED|HARD was_armed=0
port_timer_start 0 0 0 18446744073709551615 1 4294967295
timer=0000000000000000 function=0x0 expires=0 [timeout=-1] bucket_expiry=18446744073709551615 cpu=262143 idx=1023 flags=M|D|P|I
port_timer_start 0 0 18446744073709551615 0 0 4194305
timer=0000000000000000 function=0x0 expires=18446744073709551615 [timeout=-1] bucket_expiry=0 cpu=1 idx=1 flags=
port_workqueue_execute_start 0 0
work struct 0000000000000000: function 0x0
port_kfree_skb 0 0 0 65535 1
skbaddr=0000000000000000 rx_sk=0000000000000000 protocol=65535 location=0x0 reason: 0x1
port_kfree_skb 0 0 0 0 126
skbaddr=0000000000000000 rx_sk=0000000000000000 protocol=0 location=0x0 reason: MAX
port_kfree_skb 0 0 0 0 65536
skbaddr=0000000000000000 rx_sk=0000000000000000 protocol=0 location=0x0 reason: 0x10000
port_sys_enter -1 -1 0 1 9223372036854775808 4294967295 255
NR -1 (ffffffffffffffff, 0, 1, 8000000000000000, ffffffff, ff)
port_block_rq_issue 8388625 18446744073709551615 4294967295 4294967295 65535 "FWFSM "dd
8,17 FWFSM 4294967295 () 18446744073709551615 + 4294967295 invalid,1023,7 [dd]
port_block_rq_issue 4294967295 0 0 0 40960 " "a-name-of-more-than-15
4095,1048575  0 () 0 + 0 0x5,0,0 [a-name-of-more-]
port_block_rq_issue 0 8 8 4096 16388 "WS "kworker/0:1H
0,0 WS 4096 () 8 + 8 be,0,4 [kworker/0:1H]
port_tcp_probe 80 443 2 0 0 0 0 0 0 0 0 0 0 0 0 "020000507f000001 "020001bb0a000001
family=AF_INET src=127.0.0.1:80 dest=10.0.0.1:443 mark=0x0 data_len=0 snd_nxt=0x0 snd_una=0x0 snd_cwnd=0 ssthresh=0 snd_wnd=0 srtt=0 rcv_wnd=0 sock_cookie=0 skbaddr=0000000000000000 skaddr=0000000000000000
port_tcp_probe 80 443 10 4294967295 65535 4294967295 4294967294 4294967295 2147483647 4294967295 536870911 4294967295 -1 0 0 "0a000050ffffffff20010db8000000000000000000000001ffffffff "0a00ffff0000000000000000000000000000ffff01020304
family=AF_INET6 src=[2001:db8::1]:80 dest=[::ffff:1.2.3.4]:65535 mark=0xffffffff data_len=65535 snd_nxt=0xffffffff snd_una=0xfffffffe snd_cwnd=4294967295 ssthresh=2147483647 snd_wnd=4294967295 srtt=536870911 rcv_wnd=4294967295 sock_cookie=ffffffffffffffff skbaddr=0000000000000000 skaddr=0000000000000000
port_tcp_probe 0 0 65535 1 0 0 0 0 0 0 0 0 0 0 0 "0a00000000000000 "02000000
family=0xffff src=[::]:0 dest=0.0.0.0:0 mark=0x1 data_len=0 snd_nxt=0x0 snd_una=0x0 snd_cwnd=0 ssthresh=0 snd_wnd=0 srtt=0 rcv_wnd=0 sock_cookie=0 skbaddr=0000000000000000 skaddr=0000000000000000
port_i2c_write -1 65536 1023 65535 0
i2c--1 #0 a=3ff f=ffff l=0 []
port_i2c_write 0 -1 65535 0 1
i2c-0 #65535 a=ffff f=0000 l=1 [00]
port_i2c_write 2147483647 1 1 1 3
i2c-2147483647 #1 a=001 f=0001 l=3 [00-01-02]
port_i2c_write 1 1 80 512 64
i2c-1 #1 a=050 f=0200 l=64 [00-01-02-03-04-05-06-07-08-09-0a-0b-0c-0d-0e-0f-10-11-12-13-14-15-16-17-18-19-1a-1b-1c-1d-1e-1f-20-21-22-23-24-25-26-27-28-29-2a-2b-2c-2d-2e-2f-30-31-32-33-34-35-36-37-38-39-3a-3b-3c-3d-3e-3f]
port_i2c_write 1 1 80 512 65
i2c-1 #1 a=050 f=0200 l=65 [00-01-02-03-04-05-06-07-08-09-0a-0b-0c-0d-0e-0f-10-11-12-13-14-15-16-17-18-19-1a-1b-1c-1d-1e-1f-20-21-22-23-24-25-26-27-28-29-2a-2b-2c-2d-2e-2f-30-31-32-33-34-35-36-37-38-39-3a-3b-3c-3d-3e-3f-40]
port_net_dev_start_xmit 65535 0 1 33024 4095 2048 3 4294967295 4294967295 -14 -1 255 65535 65535 65535 -1 "eth0
dev=eth0 queue_mapping=65535 skbaddr=0000000000000000 vlan_tagged=1 vlan_proto=0x8100 vlan_tci=0x0fff protocol=0x0800 ip_summed=3 len=4294967295 data_len=4294967295 network_offset=-14 transport_offset_valid=1 transport_offset=-1 tx_flags=255 gso_size=65535 gso_segs=65535 gso_type=0xffff net_cookie=18446744073709551615
port_net_dev_start_xmit 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
dev= queue_mapping=0 skbaddr=0000000000000000 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0000 ip_summed=0 len=0 data_len=0 network_offset=0 transport_offset_valid=0 transport_offset=0 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0 net_cookie=0
port_ext4_free_blocks 8388625 18446744073709551615 33188 1 18446744073709551615 33
dev 8,17 ino 18446744073709551615 mode 0100644 block 1 count 18446744073709551615 flags METADATA|LAST_CLUSTER
port_ext4_free_blocks 0 0 0 0 0 0
dev 0,0 ino 0 mode 00 block 0 count 0 flags 
port_ext4_free_blocks 0 0 65535 0 0 -1
dev 0,0 ino 0 mode 0177777 block 0 count 0 flags METADATA|FORGET|VALIDATED|NO_QUOTA|1ST_CLUSTER|LAST_CLUSTER|0xffffffffffffffc0
port_gpio_value 4294967295 0 -1
4294967295 set -1
port_gpio_value 0 -1 2147483647
0 get 2147483647
port_writeback_dirty_folio 0 18446744073709551615
bdi (unknown): ino=0 index=18446744073709551615
port_writeback_dirty_folio 18446744073709551615 0 "a-name-that-has-more-than-31-bytes
bdi a-name-that-has-more-than-31-by: ino=18446744073709551615 index=0
port_regmap_reg_write 255 4294967295
(null) reg=ff val=ffffffff
port_regmap_reg_write 0 0 "spi0.0
spi0.0 reg=0 val=0
END
}

# What makes C fire the others.
work() {
	sleep 1 &
	kill $!
	wait || :
	for n in 1 2 3; do
		bash -c 'echo >/dev/udp/127.0.0.1/9'
	done
	sleep 0.1
}

# start VALUE: clears the trace and enables the ports, and if VALUE is 1, the events in C.
start() {
	echo 0 >$tracing/tracing_on
	echo >$tracing/trace
	set_events "$1"
	echo 1 >$ports/enable
	echo 1 >$tracing/tracing_on
}

# stop NAME: writes the trace as the kernel and trace-cmd print it. trace-cmd's plugins have other
# texts for some of C's events.
stop() (
	echo 0 >$tracing/tracing_on
	set_events 0
	echo 0 >$ports/enable
	cat $tracing/trace >"$tmp/$1.kernel"
	cd "$tmp"
	trace-cmd extract
	trace-cmd report -N >"$1.trace-cmd"
	echo 1 >$tracing/tracing_on
)

fire_all() {
	load event_ports
	/usr/bin/python3 -c '
import fcntl, socket, struct
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
fcntl.ioctl(socket.socket(), SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))'
	size=$(sed 's/[ (].*//' $tracing/buffer_size_kb)
	echo 8192 >$tracing/buffer_size_kb
	start 1
	chosen | grep -E "^($(echo $mirrored | tr ' ' '|')) " >/proc/event-ports
	work
	stop mirrored
	start 0
	sed -n 'p;n' "$tmp/values" >"$tmp/fire"
	cat "$tmp/fire" >/proc/event-ports
	stop values
	echo "$size" >$tracing/buffer_size_kb
}
values >"$tmp/values"
check "ports: fired" fire_all
tests/vm/ports.py "$tmp" $mirrored
check "ports: unload" rmmod event_ports
