/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input of bindgen for prototypes.rs: the headers whose tracepoints are in
 * tracepoint::linux and can be declared with kernel_tracepoint!. Every
 * `const char *` in these tracepoints is a string that nobody changes during the call,
 * but for those that macros/headers.rs lists. A driver can add other headers with
 * tracepoint-headers in its Kbuild.
 *
 * A header whose tracepoints have a type that only a .c file or a private header
 * declares can't be listed: afs, asoc, cachefiles, ext4, f2fs, fscache, intel_ifs,
 * kvm, landlock, netfs, rxrpc, timer_migration.
 */
#include <linux/blkdev.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/suspend.h>
#include <net/sock.h>
#include <net/tcp.h>

/* Headers name these in a prototype without declaring them, and would each declare its own. */
struct clk_duty;
struct clk_rate_request;
struct mii_bus;
struct scx_sched;
struct spi_controller;
struct spi_device;
struct spi_message;
struct spi_transfer;

#include <trace/events/alarmtimer.h>
#include <trace/events/block.h>
#include <trace/events/bridge.h>
#include <trace/events/capability.h>
#include <trace/events/cgroup.h>
#include <trace/events/clk.h>
#include <trace/events/compaction.h>
#include <trace/events/coredump.h>
#include <trace/events/cpuhp.h>
#include <trace/events/csd.h>
#include <trace/events/devfreq.h>
#include <trace/events/devlink.h>
#include <trace/events/dma.h>
#include <trace/events/dma_buf.h>
#include <trace/events/dma_fence.h>
#include <trace/events/error_report.h>
#include <trace/events/exceptions.h>
#include <trace/events/fib.h>
#include <trace/events/filelock.h>
#include <trace/events/filemap.h>
#include <trace/events/fs_dax.h>
#include <trace/events/gpio.h>
#include <trace/events/huge_memory.h>
#include <trace/events/hugetlbfs.h>
#include <trace/events/hwmon.h>
#include <trace/events/i2c.h>
#include <trace/events/icmp.h>
#include <trace/events/io_uring.h>
#include <trace/events/iocost.h>
#include <trace/events/iommu.h>
#include <trace/events/ipi.h>
#include <trace/events/irq.h>
#include <trace/events/irq_matrix.h>
#include <trace/events/jbd2.h>
#include <trace/events/kmem.h>
#include <trace/events/ksm.h>
#include <trace/events/libata.h>
#include <trace/events/lock.h>
#include <trace/events/mdio.h>
#include <trace/events/memcg.h>
#include <trace/events/memory-failure.h>
#include <trace/events/migrate.h>
#include <trace/events/mmap.h>
#include <trace/events/mmap_lock.h>
#include <trace/events/mmc.h>
#include <trace/events/module.h>
#include <trace/events/napi.h>
#include <trace/events/neigh.h>
#include <trace/events/net.h>
#include <trace/events/netlink.h>
#include <trace/events/nmi.h>
#include <trace/events/notifier.h>
#include <trace/events/oom.h>
#include <trace/events/page_isolation.h>
#include <trace/events/page_pool.h>
#include <trace/events/page_ref.h>
#include <trace/events/pagemap.h>
#include <trace/events/pci.h>
#include <trace/events/pci_controller.h>
#include <trace/events/percpu.h>
#include <trace/events/power.h>
#include <trace/events/power_cpu_migrate.h>
#include <trace/events/printk.h>
#include <trace/events/pwm.h>
#include <trace/events/qdisc.h>
#include <trace/events/rcu.h>
#include <trace/events/regulator.h>
#include <trace/events/rpm.h>
#include <trace/events/rseq.h>
#include <trace/events/rtc.h>
#include <trace/events/sched.h>
#include <trace/events/sched_ext.h>
#include <trace/events/scsi.h>
#include <trace/events/sctp.h>
#include <trace/events/signal.h>
#include <trace/events/skb.h>
#include <trace/events/smbus.h>
#include <trace/events/sock.h>
#include <trace/events/spi.h>
#include <trace/events/spmi.h>
#include <trace/events/swiotlb.h>
#include <trace/events/syscalls.h>
#include <trace/events/target.h>
#include <trace/events/task.h>
#include <trace/events/tcp.h>
#include <trace/events/thp.h>
#include <trace/events/timer.h>
#include <trace/events/timestamp.h>
#include <trace/events/tlb.h>
#include <trace/events/udp.h>
#include <trace/events/v4l2.h>
#include <trace/events/vb2.h>
#include <trace/events/vmalloc.h>
#include <trace/events/vmscan.h>
#include <trace/events/watchdog.h>
#include <trace/events/wbt.h>
#include <trace/events/workqueue.h>
#include <trace/events/writeback.h>
#include <trace/events/xdp.h>

#ifdef CONFIG_X86
#include <trace/events/mce.h>
#endif
