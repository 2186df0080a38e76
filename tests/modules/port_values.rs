// SPDX-License-Identifier: GPL-2.0

//! Fires the events of event_ports with the values in a line.

use crate::*;

/// Fires an event for each line.
pub(crate) fn fire(text: &str) -> Result {
    text.lines().try_for_each(fire_values)
}

/// Fires an event with the values in a line: its name, numbers, and then texts.
fn fire_values(line: &str) -> Result {
    let mut words = line.split_ascii_whitespace();
    let name = words.next().ok_or(EINVAL)?;
    let mut n = [0u64; 16];
    let mut texts = [const { None }; 2];
    let (mut numbers, mut strings) = (0, 0);
    for word in words {
        if let Some(text) = word.strip_prefix('"') {
            *texts.get_mut(strings).ok_or(EINVAL)? = Some(CString::try_from_fmt(fmt!("{text}"))?);
            strings += 1;
        } else {
            let value = word
                .parse::<i64>()
                .map(|value| value as u64)
                .or_else(|_| word.parse::<u64>())
                .map_err(|_| EINVAL)?;
            *n.get_mut(numbers).ok_or(EINVAL)? = value;
            numbers += 1;
        }
    }
    let first = texts[0].as_deref();
    let second = texts[1].as_deref();
    let p = |i: usize| n[i] as *mut c_void;
    match name {
        // C's event, if there is one that can be fired; the probe there fires the port.
        // SAFETY: C's event `kmalloc` (include/trace/events/kmem.h) only records these numbers, and
        // so does the probe in event_ports.rs. It doesn't follow the pointer.
        "kmalloc" => unsafe {
            trace!(kmalloc(
                n[0] as usize,
                p(1),
                n[2] as usize,
                n[3] as usize,
                n[4] as u32,
                n[5] as i32
            ))
        },
        // SAFETY: C's probes of `contention_begin` (include/trace/events/lock.h) don't follow the
        // pointer.
        "contention_begin" => unsafe { trace!(contention_begin(p(0), n[1] as u32)) },
        // SAFETY: C's probes of `contention_end` (include/trace/events/lock.h) don't follow the
        // pointer.
        "contention_end" => unsafe { trace!(contention_end(p(0), n[1] as i32)) },
        // SAFETY: C's event `error_report_end` (include/trace/events/error_report.h) only records
        // these numbers.
        "error_report_end" => unsafe { trace!(error_report_end(n[0] as u32, n[1] as usize)) },
        // SAFETY: C's event `map` (include/trace/events/iommu.h) only records these numbers.
        #[cfg(CONFIG_IOMMU_API)]
        "map" => unsafe { trace!(map(n[0] as usize, n[1], n[2] as usize)) },
        // SAFETY: C's event `cpu_idle` (include/trace/events/power.h) only records these numbers.
        "cpu_idle" => unsafe { trace!(cpu_idle(n[0] as u32, n[1] as u32)) },
        "port_kmalloc" => trace!(port_kmalloc(
            n[0] as usize,
            p(1),
            n[2] as usize,
            n[3] as usize,
            n[4] as u32,
            n[5] as i32
        )),
        "port_mm_page_alloc" => {
            trace!(port_mm_page_alloc(
                p(0),
                n[1] as usize,
                n[2] as u32,
                n[3] as u32,
                n[4] as i32
            ))
        }
        "port_irq_handler_entry" => trace!(port_irq_handler_entry(n[0] as i32, first)),
        "port_softirq_entry" => trace!(port_softirq_entry(n[0] as u32)),
        "port_hrtimer_start" => {
            trace!(port_hrtimer_start(
                p(0),
                p(1),
                n[2] as i64,
                n[3] as i64,
                n[4] as u32,
                n[5] != 0
            ))
        }
        "port_timer_start" => trace!(port_timer_start(
            p(0),
            p(1),
            n[2] as usize,
            n[3] as usize,
            n[4] as usize,
            n[5] as u32
        )),
        "port_workqueue_execute_start" => trace!(port_workqueue_execute_start(p(0), p(1))),
        "port_kfree_skb" => trace!(port_kfree_skb(p(0), p(1), p(2), n[3] as u16, n[4] as u32)),
        "port_sys_enter" => {
            let args = [n[1], n[2], n[3], n[4], n[5], n[6]].map(|n| n as usize);
            trace!(port_sys_enter(n[0] as isize, &args))
        }
        "port_block_rq_issue" => trace!(port_block_rq_issue(&Request {
            dev: n[0] as u32,
            sector: n[1],
            nr_sector: n[2] as u32,
            bytes: n[3] as u32,
            ioprio: n[4] as u16,
            rwbs: first.unwrap_or(c""),
            comm: second.unwrap_or(c""),
        })),
        "port_tcp_probe" => trace!(port_tcp_probe(&TcpState {
            saddr: address(first)?,
            daddr: address(second)?,
            sport: n[0] as u16,
            dport: n[1] as u16,
            family: n[2] as u16,
            mark: n[3] as u32,
            data_len: n[4] as u16,
            snd_nxt: n[5] as u32,
            snd_una: n[6] as u32,
            snd_cwnd: n[7] as u32,
            ssthresh: n[8] as u32,
            snd_wnd: n[9] as u32,
            srtt: n[10] as u32,
            rcv_wnd: n[11] as u32,
            sock_cookie: n[12],
            skb: n[13] as usize,
            sk: n[14] as usize,
        })),
        "port_i2c_write" => {
            let mut bytes = [0; 100];
            for (byte, i) in bytes.iter_mut().zip(0..) {
                *byte = i;
            }
            let data = bytes.get(..n[4] as usize).ok_or(EINVAL)?;
            trace!(port_i2c_write(
                n[0] as i32,
                n[1] as i32,
                n[2] as u16,
                n[3] as u16,
                data
            ))
        }
        "port_net_dev_start_xmit" => trace!(port_net_dev_start_xmit(&Packet {
            name: first.unwrap_or(c""),
            queue_mapping: n[0] as u16,
            skb: n[1] as usize,
            vlan_tagged: n[2] != 0,
            vlan_proto: n[3] as u16,
            vlan_tci: n[4] as u16,
            protocol: n[5] as u16,
            ip_summed: n[6] as u8,
            len: n[7] as u32,
            data_len: n[8] as u32,
            network_offset: n[9] as i32,
            transport_offset_valid: n[10] != 0,
            transport_offset: n[10] as i32,
            tx_flags: n[11] as u8,
            gso_size: n[12] as u16,
            gso_segs: n[13] as u16,
            gso_type: n[14] as u16,
            net_cookie: n[15],
        })),
        "port_ext4_free_blocks" => trace!(port_ext4_free_blocks(
            n[0] as u32,
            n[1],
            n[2] as u16,
            n[3],
            n[4] as usize,
            n[5] as i32
        )),
        "port_gpio_value" => trace!(port_gpio_value(n[0] as u32, n[1] as i32, n[2] as i32)),
        "port_writeback_dirty_folio" => trace!(port_writeback_dirty_folio(
            first.unwrap_or(c"(unknown)"),
            n[0],
            n[1] as usize
        )),
        "port_regmap_reg_write" => trace!(port_regmap_reg_write(first, n[0] as u32, n[1] as u32)),
        _ => return Err(EINVAL),
    }
    Ok(())
}

/// Reads a `struct sockaddr_in6` in hexadecimal.
fn address(text: Option<&CStr>) -> Result<[u8; 28]> {
    let text = text.ok_or(EINVAL)?.to_str().map_err(|_| EINVAL)?;
    let mut address = [0; 28];
    for (i, byte) in address.iter_mut().enumerate() {
        if let Some(digits) = text.get(2 * i..2 * i + 2) {
            *byte = u8::from_str_radix(digits, 16).map_err(|_| EINVAL)?;
        }
    }
    Ok(address)
}
