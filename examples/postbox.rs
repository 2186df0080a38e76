// SPDX-License-Identifier: GPL-2.0

//! A device that takes messages: `echo hello >/dev/postbox`.

#![forbid(unsafe_code)]

use kernel::{
    fs::{File, Kiocb},
    iov::IovIterSource,
    miscdevice::{MiscDevice, MiscDeviceOptions, MiscDeviceRegistration},
    prelude::*,
    time::{delay::fsleep, Delta},
};
use tracepoint::{event::*, *};

/// How soon a message has to arrive.
#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Priority {
    #[name = "normal"]
    Normal = 0,
    #[name = "urgent"]
    Urgent = 1,
}

trace_event! {
    system: "postbox";

    /// A message has been posted.
    fn postbox_message(text: &[u8], priority: Priority) {
        len: u32 = text.len() as u32,
        priority: Priority = priority,
        text: Str = text,
    }
    print "{priority}, {len} bytes: {text}";

    /// Delivering a message.
    span fn postbox_deliver(len: usize) {
        len: u32 = len as u32,
    }
    print "{len} bytes";
}

/// Delivers a message. This takes at least a millisecond for each byte.
#[instrument(postbox_deliver(text.len()))]
fn deliver(text: &[u8]) -> Result {
    if text.len() > 12 {
        return Err(EMSGSIZE);
    }
    fsleep(Delta::from_millis(text.len() as i64));
    Ok(())
}

/// An open `/dev/postbox`.
struct Postbox;

#[vtable]
impl MiscDevice for Postbox {
    type Ptr = KBox<Self>;

    fn open(_file: &File, _device: &MiscDeviceRegistration<Self>) -> Result<Self::Ptr> {
        Ok(KBox::new(Self, GFP_KERNEL)?)
    }

    fn write_iter(_kiocb: Kiocb<'_, Self::Ptr>, iov: &mut IovIterSource<'_>) -> Result<usize> {
        let mut buffer = KVec::new();
        let len = iov.copy_from_iter_vec(&mut buffer, GFP_KERNEL)?;
        let text = buffer.trim_ascii_end();
        let priority = match text.last() {
            Some(b'!') => Priority::Urgent,
            _ => Priority::Normal,
        };
        trace!(postbox_message(text, priority));
        deliver(text)?;
        Ok(len)
    }
}

#[pin_data]
struct PostboxModule {
    #[pin]
    _device: MiscDeviceRegistration<Postbox>,
}

impl kernel::InPlaceModule for PostboxModule {
    fn init(_module: &'static ThisModule) -> impl PinInit<Self, Error> {
        let options = MiscDeviceOptions { name: c"postbox" };
        try_pin_init!(Self {
            _device <- MiscDeviceRegistration::register(options),
        })
    }
}

module! {
    type: PostboxModule,
    name: "postbox",
    authors: ["You"],
    description: "A device that takes messages",
    license: "GPL",
}
