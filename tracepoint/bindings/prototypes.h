/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input of bindgen for bindings/generated_prototypes.rs: the headers whose
 * tracepoints kernel_tracepoint! can declare. Each header declares a
 * `__traceiter_NAME` for every tracepoint in it. Every `const char *` in these
 * tracepoints is a string. A driver can add other headers with
 * tracepoint-headers in its Kbuild.
 */
#include <linux/tracepoint.h>
#include <linux/blkdev.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/suspend.h>
#include <net/sock.h>
#include <net/tcp.h>

#include <trace/events/block.h>
#include <trace/events/cgroup.h>
#include <trace/events/cpuhp.h>
#include <trace/events/dma_fence.h>
#include <trace/events/filelock.h>
#include <trace/events/filemap.h>
#include <trace/events/gpio.h>
#include <trace/events/i2c.h>
#include <trace/events/iommu.h>
#include <trace/events/ipi.h>
#include <trace/events/irq.h>
#include <trace/events/kmem.h>
#include <trace/events/mmap.h>
#include <trace/events/module.h>
#include <trace/events/napi.h>
#include <trace/events/neigh.h>
#include <trace/events/net.h>
#include <trace/events/oom.h>
#include <trace/events/page_pool.h>
#include <trace/events/percpu.h>
#include <trace/events/power.h>
#include <trace/events/printk.h>
#include <trace/events/pwm.h>
#include <trace/events/qdisc.h>
#include <trace/events/rcu.h>
#include <trace/events/regulator.h>
#include <trace/events/rpm.h>
#include <trace/events/rtc.h>
#include <trace/events/sched.h>
#include <trace/events/scsi.h>
#include <trace/events/signal.h>
#include <trace/events/skb.h>
#include <trace/events/sock.h>
#include <trace/events/spi.h>
#include <trace/events/syscalls.h>
#include <trace/events/task.h>
#include <trace/events/tcp.h>
#include <trace/events/timer.h>
#include <trace/events/udp.h>
#include <trace/events/vmscan.h>
#include <trace/events/workqueue.h>
#include <trace/events/writeback.h>
