// SPDX-License-Identifier: GPL-2.0

//! The struct that lays out an event's record, and the function that fills it when the event fires.

use crate::{
    field::Known,
    layers::rewrite,
    model::Class,
    tokens::{local, span_of},
};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::Type;

/// Expands the struct that says where the fields are in a record, and the size of a record up to the data
/// after its fields, or of the whole struct if there's no such data.
///
/// C: `struct trace_event_raw_CLASS`.
pub(crate) fn raw(class: &Class, fields: &[Known<'_>]) -> TokenStream {
    let name = fields.iter().map(|known| &known.field.name);
    let slot = fields.iter().map(Known::slot);
    let is_dynamic = fields.iter().any(|known| known.is_dynamic() == Some(true));
    let unknown = fields.iter().filter(|known| known.kind.is_none());
    let unknown = unknown.map(Known::shape);
    let size = quote_spanned! {class.name.span().resolved_at(Span::call_site())=>
        __p::record_size(
            #is_dynamic #(|| #unknown.kind.is_dynamic())*,
            ::core::mem::offset_of!(__Raw, __data),
            ::core::mem::size_of::<__Raw>(),
        )
    };
    quote! {
        #[allow(non_snake_case)]
        #[repr(C)]
        struct __Raw {
            __ent: __p::trace_entry,
            #(#name: #slot,)*
            __data: [__p::u8; 0],
        }

        const __RECORD_SIZE: __p::usize = #size;
    }
}

/// The local with the room for what a record's expressions compute.
pub(crate) fn room() -> Ident {
    local("room")
}

/// Expands the local with the room for what the fields compute before there's a record.
fn room_for(class: &Class, room: &Ident, calls: usize, fields: &[Known<'_>]) -> TokenStream {
    let formatted = fields.iter().filter(|known| known.is_formatted()).count();
    let users = calls + formatted;
    let unknown: Vec<_> = fields
        .iter()
        .filter(|known| known.kind.is_none())
        .map(Known::shape)
        .collect();
    if users == 0 && unknown.is_empty() {
        return quote!(let #room = __p::Room::NONE;);
    }
    let users = Literal::usize_unsuffixed(users);
    let users = quote!((#users #(+ #unknown.computed as __p::usize)*));
    let too_many = format!(
        "the event `{}` has more than {COMPUTED_MAX} fields that are `Formatted` or call `elements()`, for \
         which the stack has no room: record some of them in another event, or as `Str` or `DynArray`",
        class.name
    );
    let trait_import = (calls > 0).then(|| {
        quote!(
            use __p::Computed as _;
        )
    });
    quote_spanned! {class.name.span().resolved_at(Span::mixed_site())=>
        #trait_import
        const _: () = ::core::assert!(#users <= #COMPUTED_MAX, #too_many);
        let #room = __p::Room::<{ __p::room_size(#users) }>::new(#users);
    }
}

/// The size and the alignment of what each record starts with, C's `struct trace_entry`. The library checks
/// them.
const ENTRY: (usize, usize) = (8, 4);

/// How many fields can share the [`room_for`] them.
const COMPUTED_MAX: usize = 8;

/// Expands the function that fills a record.
///
/// It's a safe function: the driver's expressions are evaluated in it, all of them before the record
/// is reserved, so that none of them runs while there's half a record. The library's functions are
/// called by their paths: a trait of the driver's could have a method of the same name, which the
/// compiler prefers if it takes `self` by value.
pub(crate) fn recorder(class: &Class, fields: &[Known<'_>]) -> TokenStream {
    let (arg, ty) = (class.args.names(), class.args.types());
    // Errors about a value are reported at its expression. No expression can see the other values.
    let hidden = |expr| Span::mixed_site().located_at(span_of(expr));
    let value: Vec<_> = fields
        .iter()
        .enumerate()
        .map(|(i, known)| format_ident!("__value{i}", span = hidden(&known.field.value)))
        .collect();
    let mut computed = 0;
    let shared: Vec<_> = class
        .values
        .iter()
        .filter_map(|local| {
            let (attrs, pat, init) = (&local.attrs, &local.pat, local.init.as_ref()?);
            let expr = rewrite((*init.expr).clone(), Some(&mut computed));
            Some(quote!(#(#attrs)* let #pat = #expr;))
        })
        .collect();
    let exprs: Vec<_> = fields
        .iter()
        .map(|known| rewrite(known.field.value.clone(), Some(&mut computed)))
        .collect();
    let (data, scratch) = (local("data"), local("scratch"));
    let (to, room) = (local("to"), room());
    // The size up to here.
    let mut size = quote!(__RECORD_SIZE);
    let mut places = TokenStream::new();
    let mut writes = TokenStream::new();
    // Where the next field could start is known up to a multiple of this.
    let (mut next, mut multiple) = (ENTRY.0, 1 << 16);
    let mut struct_align = Some(ENTRY.1);
    let mut end = quote!(::core::mem::size_of::<__p::trace_entry>());
    let any_dynamic = fields.iter().any(|known| known.is_dynamic() != Some(false));
    let is_dynamic = fields.iter().any(|known| known.is_dynamic() == Some(true));
    for (i, known) in fields.iter().enumerate() {
        let (ty, value) = (&known.field.ty, &value[i]);
        let (mut at, len) = (size.clone(), local(&format!("len{i}")));
        if known.is_dynamic() != Some(false) {
            if !places.is_empty() {
                let local = local(&format!("at{i}"));
                places.extend(quote!(let #local = #at;));
                at = local.into_token_stream();
            }
            places.extend(quote!(let #len = __p::Value::len(#value, &#room);));
            size = quote!(#at.wrapping_add(#len));
        }
        let (start, slot, name) = (known.start(), known.slot(), &known.field.name);
        // The record may be aligned less than this struct, so its members are only pointed to.
        let slot_at = quote!(&raw mut (*(#to as *mut __Raw)).#name);
        let (size, align) = known.size().unwrap_or((0, usize::MAX));
        if align > multiple || next % align != 0 {
            writes.extend(quote!(__p::zero(#to, #end, #start);));
        }
        writes.extend(if known.is_scalar() {
            // If the type isn't a `scalar`, the table of fields checks it.
            let ty = known.scalar.clone().unwrap_or_else(|| ty.to_token_stream());
            let value = match is_argument(class, known) {
                true => known.field.value.to_token_stream(),
                false => value.to_token_stream(),
            };
            quote!((*(#slot_at as *mut __p::Packed<#ty>)).0 = #value;)
        } else if known.is_dynamic() == Some(true) {
            let base = if known.rel {
                quote!(#start + 4)
            } else {
                quote!(0)
            };
            quote! {
                (*(#slot_at as *mut __p::Packed<__p::u32>)).0 = __p::location(#len, #at, #base);
                __p::Value::write_data(#value, #to.add(#at));
            }
        } else {
            let data = if known.kind.is_none() {
                let shape = known.shape();
                quote!(#shape.rel, #len, #at)
            } else {
                quote!(false, 0, 0)
            };
            quote!(__p::Value::write(#value, __p::Place::new(#to, #start, #data));)
        });
        if known.size().is_some() {
            multiple = multiple.max(align);
            next = next.next_multiple_of(align) + size;
            struct_align = struct_align.map(|most| most.max(align));
            end = quote!(#start + #size);
        } else {
            (next, multiple, struct_align) = (0, 1, None);
            end = quote!(#start + ::core::mem::size_of::<#slot>());
        }
    }
    // C's struct may end with padding, unless data follow its fields.
    if !is_dynamic && struct_align.is_none_or(|align| next % align != 0) {
        writes.extend(quote!(__p::zero(#to, #end, __RECORD_SIZE);));
    }
    let probe = quote!(__trace_event_raw_event as *const __p::c_void);
    // A span has to know whether its begin has been recorded.
    let is_told = class.kind.is_told();
    let ret = is_told.then(|| quote!(-> __p::bool));
    let recorded = is_told.then(|| quote!(#to as __p::usize != 0));
    // It's evaluated before the record is reserved, as all that's the driver's.
    let count = local("count");
    let counted = class.perf_count.as_ref().map(|expr| {
        let expr = rewrite(expr.clone(), Some(&mut computed));
        quote!(let #count: __p::u64 = if __p::is_for_perf(#data) { #expr } else { 1 };)
    });
    let count = match counted {
        Some(_) => count.to_token_stream(),
        None => quote!(1),
    };
    let mut body = quote! {
        #counted
        #places
        let mut #scratch = __p::Scratch { empty: () };
        // SAFETY: `begin` has returned `true`. All is written: the fields and the padding.
        unsafe {
            let #to = __p::reserve(&raw mut #scratch, #data, #size);
            if #to as __p::usize != 0 {
                #writes
                __p::commit(&raw mut #scratch, #data, #to, #probe, #count);
            }
            #recorded
        }
    };
    for ((known, value), expr) in fields.iter().zip(&value).zip(&exprs).rev() {
        if is_argument(class, known) {
            continue;
        }
        let (ty, span) = (&known.field.ty, span_of(&known.field.value));
        body = if known.is_scalar() {
            let ty = known.scalar.clone().unwrap_or_else(|| ty.to_token_stream());
            // If the expression has another type, the compiler's own error says it best.
            quote!(let #value: #ty = #expr; #body)
        } else {
            // Temporaries live until the record has been written. The value isn't moved, because
            // text has a large buffer.
            //
            // An error about the value is reported at the value. The call is through a function
            // pointer: it has no name, so the compiler adds no note about it.
            let is_generic = matches!(ty, Type::Path(path)
                if path.path.segments.last().is_some_and(|last| !last.arguments.is_none()));
            let ty = if known.kind.is_none() && !is_generic {
                // If it's no field, that's an error at the type, and the only one.
                quote_spanned!(span_of(ty)=> <#ty as __p::Field>::This)
            } else {
                moved(ty.to_token_stream(), span)
            };
            let computed = quote_spanned! {span=>
                &mut ({
                    let value: fn(_) -> _ = <#ty as __p::Assign<_>>::value;
                    value
                })(#expr)
            };
            quote!(match #computed { #value => { #body } })
        };
    }
    let room_init = (any_dynamic || computed > 0)
        .then(|| room_for(class, &room, computed, fields))
        .unwrap_or_default();
    quote! {
        // Fills a record.
        #[inline(always)]
        #[allow(unreachable_code, unused_parens, unused_variables)]
        // Some expressions rely on them.
        #[deny(arithmetic_overflow, unconditional_panic)]
        fn __record(#data: *mut __p::c_void #(, #arg: #ty)*) #ret {
            #room_init
            #(#shared)*
            #body
        }
    }
}

/// Whether the value of a field is an argument of the same type, which can be written without a local.
fn is_argument(class: &Class, known: &Known<'_>) -> bool {
    let value = known.field.value.to_token_stream().to_string();
    let ty = known.field.ty.to_token_stream().to_string();
    let mut args = class.args.names().into_iter().zip(class.args.types());
    known.scalar.is_some()
        && class.values.is_empty()
        && args.any(|(name, of)| *name == value && of.to_token_stream().to_string() == ty)
}

/// Returns the tokens as if they were at `span`.
fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let one = |token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), moved(group.stream(), span));
            moved.set_span(group.span().located_at(span));
            TokenTree::Group(moved)
        }
        mut token => {
            token.set_span(token.span().located_at(span));
            token
        }
    };
    tokens.into_iter().map(one).collect()
}
