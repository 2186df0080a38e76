// SPDX-License-Identifier: GPL-2.0

use crate::{
    defs::*,
    stats::{BC_COUNT, BR_COUNT},
    transaction::Transaction,
};
use kernel::{error::Result, ioctl::_IOC_NR, task::Task, trace, trace::event::*};

trace_event! {
    system: "rust_binder";

    fn binder_ioctl(cmd: u32, arg: usize) {
        cmd: u32 as "unsigned int" = cmd,
        arg: usize as "unsigned long" = arg,
    }
    print "cmd=0x{cmd:x} arg=0x{arg:x}";

    class binder_function_return_class(ret: i32) {
        ret: i32 as "int" = ret,
    }
    print "ret={ret}"
    events {
        fn binder_ioctl_done;
        fn binder_read_done;
        fn binder_write_done;
    }

    fn binder_wait_for_work(proc_work: bool, transaction_stack: bool, thread_todo: bool) {
        proc_work: bool = proc_work,
        transaction_stack: bool = transaction_stack,
        thread_todo: bool = thread_todo,
    }
    print "proc_work={proc_work} transaction_stack={transaction_stack} thread_todo={thread_todo}";

    fn binder_transaction(reply: bool, t: &Transaction, thread: Option<&Task>) {
        debug_id: i32 as "int" = t.debug_id as i32,
        target_node: i32 as "int" = t.target_node.as_ref().map_or(0, |node| node.debug_id as i32),
        to_proc: i32 as "int" = t.to.task.pid(),
        to_thread: i32 as "int" = thread.map_or(0, |thread| thread.pid()),
        reply: i32 as "int" = reply.into(),
        code: u32 as "unsigned int" = t.code,
        flags: u32 as "unsigned int" = t.flags.into(),
    }
    print "transaction={debug_id} dest_node={target_node} dest_proc={to_proc} \
           dest_thread={to_thread} reply={reply} flags=0x{flags:x} code=0x{code:x}";

    fn binder_transaction_received(t: &Transaction) {
        debug_id: i32 as "int" = t.debug_id as i32,
    }
    print "transaction={debug_id}";

    fn binder_transaction_fd_send(t_debug_id: i32, fd: i32, offset: usize) {
        debug_id: i32 as "int" = t_debug_id,
        fd: i32 as "int" = fd,
        offset: usize = offset,
    }
    print "transaction={debug_id} src_fd={fd} offset={offset}";

    fn binder_transaction_fd_recv(t_debug_id: i32, fd: i32, offset: usize) {
        debug_id: i32 as "int" = t_debug_id,
        fd: i32 as "int" = fd,
        offset: usize = offset,
    }
    print "transaction={debug_id} dest_fd={fd} offset={offset}";
}

/// Defines an event for each list of codes, and an array of their names.
macro_rules! commands {
    ($($event:ident, $names:ident: [$count:expr] => { $($($value:ident)|+ => $name:literal,)* })*) => {
        trace_event! {
            system: "rust_binder";

            $(
                fn $event(cmd: u32) {
                    cmd: u32 as "uint32_t" = cmd,
                }
                print "cmd=0x{cmd:x} {name}",
                    name = print_symbolic(cmd, {
                        $($($value => $name,)+)*
                        _ => "unknown",
                    });
            )*
        }

        $(
            pub(crate) static $names: [&str; $count] = {
                let mut names = [""; $count];
                $($(names[_IOC_NR($value) as usize] = $name;)+)*
                let mut i = 0;
                while i < names.len() {
                    assert!(!names[i].is_empty(), "a code has no name");
                    i += 1;
                }
                names
            };
        )*
    };
}

commands! {
    binder_command, BC_NAMES: [BC_COUNT] => {
        BC_TRANSACTION => "BC_TRANSACTION",
        BC_REPLY => "BC_REPLY",
        BC_ACQUIRE_RESULT => "BC_ACQUIRE_RESULT",
        BC_FREE_BUFFER => "BC_FREE_BUFFER",
        BC_INCREFS => "BC_INCREFS",
        BC_ACQUIRE => "BC_ACQUIRE",
        BC_RELEASE => "BC_RELEASE",
        BC_DECREFS => "BC_DECREFS",
        BC_INCREFS_DONE => "BC_INCREFS_DONE",
        BC_ACQUIRE_DONE => "BC_ACQUIRE_DONE",
        BC_ATTEMPT_ACQUIRE => "BC_ATTEMPT_ACQUIRE",
        BC_REGISTER_LOOPER => "BC_REGISTER_LOOPER",
        BC_ENTER_LOOPER => "BC_ENTER_LOOPER",
        BC_EXIT_LOOPER => "BC_EXIT_LOOPER",
        BC_REQUEST_DEATH_NOTIFICATION => "BC_REQUEST_DEATH_NOTIFICATION",
        BC_CLEAR_DEATH_NOTIFICATION => "BC_CLEAR_DEATH_NOTIFICATION",
        BC_DEAD_BINDER_DONE => "BC_DEAD_BINDER_DONE",
        BC_TRANSACTION_SG => "BC_TRANSACTION_SG",
        BC_REPLY_SG => "BC_REPLY_SG",
        BC_REQUEST_FREEZE_NOTIFICATION => "BC_REQUEST_FREEZE_NOTIFICATION",
        BC_CLEAR_FREEZE_NOTIFICATION => "BC_CLEAR_FREEZE_NOTIFICATION",
        BC_FREEZE_NOTIFICATION_DONE => "BC_FREEZE_NOTIFICATION_DONE",
    }

    binder_return, BR_NAMES: [BR_COUNT] => {
        BR_ERROR => "BR_ERROR",
        BR_OK => "BR_OK",
        BR_TRANSACTION | BR_TRANSACTION_SEC_CTX => "BR_TRANSACTION",
        BR_REPLY => "BR_REPLY",
        BR_ACQUIRE_RESULT => "BR_ACQUIRE_RESULT",
        BR_DEAD_REPLY => "BR_DEAD_REPLY",
        BR_TRANSACTION_COMPLETE => "BR_TRANSACTION_COMPLETE",
        BR_INCREFS => "BR_INCREFS",
        BR_ACQUIRE => "BR_ACQUIRE",
        BR_RELEASE => "BR_RELEASE",
        BR_DECREFS => "BR_DECREFS",
        BR_ATTEMPT_ACQUIRE => "BR_ATTEMPT_ACQUIRE",
        BR_NOOP => "BR_NOOP",
        BR_SPAWN_LOOPER => "BR_SPAWN_LOOPER",
        BR_FINISHED => "BR_FINISHED",
        BR_DEAD_BINDER => "BR_DEAD_BINDER",
        BR_CLEAR_DEATH_NOTIFICATION_DONE => "BR_CLEAR_DEATH_NOTIFICATION_DONE",
        BR_FAILED_REPLY => "BR_FAILED_REPLY",
        BR_FROZEN_REPLY => "BR_FROZEN_REPLY",
        BR_ONEWAY_SPAM_SUSPECT => "BR_ONEWAY_SPAM_SUSPECT",
        BR_TRANSACTION_PENDING_FROZEN => "BR_TRANSACTION_PENDING_FROZEN",
        BR_FROZEN_BINDER => "BR_FROZEN_BINDER",
        BR_CLEAR_FREEZE_NOTIFICATION_DONE => "BR_CLEAR_FREEZE_NOTIFICATION_DONE",
    }
}
