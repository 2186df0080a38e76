// SPDX-License-Identifier: GPL-2.0

//! The expansion of `tracepoint_struct!` and `#[derive(TraceStruct)]`.

use crate::{
    layers::{self, is_attr, number_of, Declared, Layer},
    tokens::{self, local, span_of},
    types,
};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::{
    ext::IdentExt, spanned::Spanned, Attribute, Data, DeriveInput, Error, Field, Fields,
    GenericParam, ItemStruct, Result, Type,
};

pub(crate) static LAYER: Layer = Layer::NONE;

/// Expands `tracepoint_struct!`.
pub(crate) fn tracepoint_struct(input: TokenStream) -> TokenStream {
    let expanded = syn::parse2(input).and_then(expand);
    expanded.unwrap_or_else(Error::into_compile_error)
}

/// The kernel's structs that BPF trusts more than others (`BTF_TYPE_SAFE_TRUSTED` and the like,
/// kernel/bpf/verifier.c). It tells them by their names.
const TRUSTED: [&str; 14] = [
    "bpf_iter__task",
    "bpf_iter_meta",
    "cgroup",
    "cgroup_subsys_state",
    "css_set",
    "dentry",
    "file",
    "linux_binprm",
    "mm_struct",
    "request_sock",
    "sk_buff",
    "socket",
    "task_struct",
    "vm_area_struct",
];

/// Takes the name of the struct in C from its attributes.
fn c_name(item: &mut ItemStruct) -> Result<String> {
    let is_c_name = |attr: &Attribute| attr.path().is_ident("c_name");
    let name = match item.attrs.iter().position(is_c_name) {
        Some(at) => layers::text(&item.attrs.remove(at))?.parse_with(Ident::parse_any)?,
        None => item.ident.clone(),
    };
    let c_name = tokens::c_name(&name);
    // `btf_nested_type_is_trusted()` (kernel/bpf/btf.c) looks for such names.
    let words = c_name.strip_suffix("_or_null").unwrap_or(&c_name);
    let is_safe = words.ends_with("__safe_trusted") || words.ends_with("__safe_rcu");
    if is_safe || TRUSTED.contains(&&*c_name) {
        let error =
            format!("`{c_name}` would make the BPF verifier trust another struct's members");
        return Err(Error::new(name.span(), error));
    }
    Ok(c_name)
}

/// Returns whether references or lifetimes in a type can have others than the struct's, such as in `fn(&u8)`. With
/// `'static` in their place, it could be another type.
fn has_own_lifetimes(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '#');
    let has_scope = words.any(|word| matches!(word, "fn" | "dyn" | "for" | "impl"));
    has_scope && text.contains(['&', '\''])
}

/// Returns whether a type has a name in it, not as a part of a longer one or after `::`.
fn mentions(ty: &Type, name: &Ident) -> bool {
    let (text, name) = (ty.to_token_stream().to_string(), name.to_string());
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    text.match_indices(&name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_path = before.trim_end().ends_with("::");
        !(is_path || before.ends_with(is_part) || after.starts_with(is_part))
    })
}

/// Expands the struct.
fn expand(mut item: ItemStruct) -> Result<TokenStream> {
    let c_name = c_name(&mut item)?;
    let name = &item.ident;
    if !matches!(item.fields, Fields::Named(_)) {
        let error = format!("`{name}` needs named fields: they're part of its identity");
        return Err(Error::new(item.fields.span(), error));
    }
    let lifetime = match item.generics.params.iter().collect::<Vec<_>>()[..] {
        [] => None,
        [GenericParam::Lifetime(param)] => Some(&param.lifetime),
        [first, ..] => {
            let error = format!("`{name}` can have one lifetime; it can't be generic otherwise");
            return Err(Error::new(first.span(), error));
        }
    };
    let mut attrs = item.fields.iter().flat_map(|field| &field.attrs);
    let is_cfg = |attr: &&Attribute| is_attr(attr, "cfg") || is_attr(attr, "cfg_attr");
    if let Some(attr) = item.attrs.iter().find(is_cfg).or(attrs.find(is_cfg)) {
        let error = format!(
            "`{name}` can't have a `#[cfg]` or `#[cfg_attr]`, which could change its layout without \
             changing its identity: use `#[cfg]` before `tracepoint_struct!`"
        );
        return Err(Error::new(attr.span(), error));
    }

    for Field { ident, ty, .. } in &item.fields {
        types::check(ty)?;
        ident.iter().try_for_each(tokens::check_c_name)?;
    }
    if let Some(field) = (item.fields.iter()).find(|field| mentions(&field.ty, name)) {
        let error = format!("`{name}` is described by its fields, so none can refer to another `{name}`: use `#[derive(TracepointArg)]`");
        return Err(Error::new(span_of(&field.ty), error));
    }
    if let Some(field) = (item.fields.iter()).find(|field| has_own_lifetimes(&field.ty)) {
        let error = format!("`{name}` can't have a field whose type has lifetimes of its own");
        return Err(Error::new(span_of(&field.ty), error));
    }
    let text = |tokens: &dyn ToTokens| tokens.to_token_stream().to_string().replace(' ', "");
    // All that changes the layout is part of the identity.
    let reprs = item.attrs.iter().filter(|attr| is_attr(attr, "repr"));
    let mut identity: String = reprs.map(|attr| text(attr) + " ").collect();
    identity += &name.to_string();
    let described = item.fields.iter().map(|field| {
        // Privacy is part of it too: who may not write a field here may not read it elsewhere.
        let named = text(&field.vis) + " " + &text(&field.ident);
        let named = named.trim();
        // A type has one description for all lifetimes.
        let ty = layers::with_lifetime(&field.ty, "'static", |_| true);
        quote_spanned!(span_of(&field.ty)=> (#named, &<#ty as __p::Element>::TYPE))
    });
    let with = |of: TokenStream| match lifetime {
        Some(_) => quote!(#name<#of>),
        None => quote!(#name),
    };
    let (any, any_at) = (with(quote!('_)), with(quote!('__at)));
    // The same struct under the lifetime's own name, for the types as they're written.
    let own = lifetime.map_or(quote!('__a), ToTokens::to_token_stream);
    let (this, value) = (with(own.clone()), local("value"));
    let field: Vec<_> = item.fields.iter().map(|field| &field.ident).collect();
    let ty: Vec<_> = item.fields.iter().map(|field| &field.ty).collect();
    let checks = ty
        .iter()
        .map(|ty| quote_spanned!(span_of(ty)=> <#ty as __p::Element>::same_at::<#own>();));
    let id = number_of(&item);
    let beside = layers::beside(&Declared::Struct(layers::Struct {
        item: &item,
        id,
        c_name: &c_name,
        this: &with(quote!('static)),
    }));
    // With CONFIG_CFI, C compares a hash of the types, which includes the name of a struct.
    let (c, c_struct) = match syn::parse_str::<Ident>(&c_name) {
        Ok(c_name) if cfg!(CONFIG_CFI) => (
            quote!(__c::#c_name),
            quote! {
                mod __c {
                    #[allow(missing_docs, non_camel_case_types, unreachable_pub)]
                    #[repr(C)]
                    pub struct #c_name([u8; 0]);
                }
            },
        ),
        _ => (quote!(__p::c_void), TokenStream::new()),
    };
    Ok(quote! {
        #beside

        #[allow(unreachable_pub)]
        #[repr(C)]
        #item

        #[allow(dead_code)]
        const _: () = {
            use ::tracepoint::__private as __p;

            /// Compiles if no field lasts longer than the reference to the struct, and if the struct
            /// has the described fields, whatever its attributes do.
            fn __check<#own>(#value: #this) {
                #(#checks)*
                let #name { #(#field,)* } = #value;
                let _: (#(#ty,)*) = (#(#field,)*);
            }

            #c_struct

            // SAFETY: C and Rust see the same struct. Its name, fields, privacy, size and alignment
            // are in `TYPE`, and none of its fields outlives the reference to it.
            unsafe impl __p::Pointee for #any {
                type C = #c;
                type At<'__at> = #any_at;
                const TYPE: __p::Type = __p::Type::Struct {
                    name: #identity,
                    fields: &[#(#described,)*],
                    size: ::core::mem::size_of::<Self>(),
                    align: ::core::mem::align_of::<Self>(),
                };
                const C_TYPE: __p::CType = __p::CType::Described(#id);
            }
        };
    })
}

/// Expands `#[derive(TraceStruct)]`.
pub(crate) fn trace_struct(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(name.span(), "expected a struct"));
    };
    if !input.attrs.iter().any(|attr| is_attr(attr, "repr")) {
        let error = "the struct needs a `#[repr(C)]`, so that its layout is C's";
        return Err(Error::new(name.span(), error));
    }
    if let Some(param) = input.generics.params.first() {
        return Err(Error::new(param.span(), "the struct can't be generic"));
    }
    let types: Vec<_> = data.fields.iter().map(|field| &field.ty).collect();
    types.iter().try_for_each(types::check)?;
    let checks = types
        .iter()
        .map(|ty| quote_spanned!(span_of(ty)=> let _ = __p::no_padding::<#ty>;));
    let padding = format!("`{name}` has padding: add members in its place");
    let alignment = format!("`{name}` is aligned to more than eight bytes, as no field is");
    let check = quote_spanned! {name.span()=>
        {
            ::core::assert!(
                ::core::mem::size_of::<#name>() == 0 #(+ ::core::mem::size_of::<#types>())*,
                #padding
            );
            ::core::assert!(::core::mem::align_of::<#name>() <= 8, #alignment)
        }
    };
    Ok(quote! {
        const _: () = {
            use ::tracepoint::__private as __p;

            const _: () = {
                #(#checks)*
            };
            const _: () = #check;

            // SAFETY: The members have no padding, and there's none between them.
            unsafe impl __p::NoPadding for #name {}

            // SAFETY: The struct has no padding, neither in its members nor between them, so all of
            // its bytes are initialised.
            unsafe impl __p::AsBytes for #name {}
        };
    })
}
