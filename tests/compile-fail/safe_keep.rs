// SPDX-License-Identifier: GPL-2.0

#![forbid(unsafe_code)]
#![allow(missing_docs)]

use kernel::{cred::Credential, device::Device, fs::LocalFile, prelude::*, sync::aref::ARef};
use tracepoint::{
    linux::{capability::cap_capable, dma::dma_free, filemap::file_check_and_advance_wb_err},
    *,
};

pub fn keep() -> Result<[Probe; 4]> {
    Ok([
        cap_capable.register(|cred, _, _, _, _| {
            let _: ARef<Credential> = cred.into();
        })?,
        dma_free.register(|dev, _, _, _, _, _| drop(ARef::<Device>::from(dev)))?,
        file_check_and_advance_wb_err.register(|file, _| drop(ARef::<LocalFile>::from(file)))?,
        cap_capable.register(|cred: &Credential, _, _, _, _| drop(ARef::from(cred)))?,
    ])
}

mod declared {
    use kernel::device::Device;

    tracepoint::kernel_tracepoint! {
        pub fn swiotlb_bounced(dev: &Device, dev_addr: u64, size: usize);
    }
}
