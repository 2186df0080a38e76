// SPDX-License-Identifier: GPL-2.0

//! The struct that lays out an event's record, and the function that fills it when the event fires.

use crate::{
    field::Known,
    layers::rewrite,
    model::Class,
    tokens::{group, local, span_of},
};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{Error, Expr, Result, Type};

/// Expands the struct that says where the fields are in a record.
///
/// C: `struct trace_event_raw_CLASS`.
pub(crate) fn raw(fields: &[Known<'_>]) -> TokenStream {
    let name = fields.iter().map(|known| &known.field.name);
    let slot = fields.iter().map(Known::slot);
    quote! {
        #[allow(non_snake_case)]
        #[repr(C)]
        struct __Raw {
            __ent: __p::bindings::trace_entry,
            #(#name: #slot,)*
            __data: (),
        }
    }
}

/// Expands the size of a record up to the data after its fields, or of C's whole struct if there's no such data.
pub(crate) fn size(fields: &[Known<'_>]) -> TokenStream {
    let all = quote!(__p::record_size::<__Raw>());
    let can_be = |known: &&Known<'_>| known.is_dynamic() != Some(false);
    let is_dynamic = fields.iter().filter(can_be).map(Known::dynamic);
    let is_dynamic: Vec<_> = is_dynamic.collect();
    match is_dynamic[..] {
        [] => all,
        _ => quote!(if #(#is_dynamic)||* { ::core::mem::offset_of!(__Raw, __data) } else { #all }),
    }
}

/// How many fields can share the room for what they compute.
const COMPUTED_MAX: usize = 8;

/// Expands the local with the room for what a number of fields compute before there's a record.
fn room_for(class: &Class, users: usize) -> Result<TokenStream> {
    if users == 0 {
        return Ok(TokenStream::new());
    }
    if users > COMPUTED_MAX {
        let error = format!(
            "the event `{}` has more than {COMPUTED_MAX} fields that are `Formatted` or call `elements()`, for \
             which the stack has no room: record some of them in another event, or as `Str` or `DynArray`",
            class.name
        );
        return Err(Error::new(class.name.span(), error));
    }
    Ok(quote_spanned! {Span::mixed_site()=>
        // `elements()` needs it, formatted text doesn't.
        #[allow(unused_imports)]
        use __p::Computed as _;
        let __room = __p::Room::<{ __p::room_size(#users) }>::new(#users);
    })
}

/// The size and the alignment of what each record starts with, C's `struct trace_entry`, which
/// `base/event/record.rs` checks.
const ENTRY: (usize, usize) = (8, 4);

/// Expands the statements before a record is reserved, which say how long the data of each field is, those that write
/// the fields to the record at `to`, and the size of the record.
fn writes(fields: &[Known<'_>], value: &[TokenStream], to: &Ident) -> [TokenStream; 3] {
    let (mut lens, mut writes) = (TokenStream::new(), TokenStream::new());
    // The size up to here.
    let mut size = size(fields);
    let all = size.clone();
    // Where the fields up to here end, and how they're aligned, if that's known.
    let mut layout = Some(ENTRY);
    let mut end = quote!(::core::mem::size_of::<__p::bindings::trace_entry>());
    for (i, (known, value)) in fields.iter().zip(value).enumerate() {
        let (start, name) = (&known.in_template.start, &known.field.name);
        let both = layout.zip(known.size());
        if both.is_none_or(|((next, _), (_, align))| next % align != 0) {
            writes.extend(quote!(__p::zero(#to, #end, #start);));
        }
        layout = both.and_then(|((next, most), (size, align))| {
            let start = next.checked_next_multiple_of(align)?;
            Some((start.checked_add(size)?, most.max(align)))
        });
        let slot = known.slot();
        end = quote!(#start + ::core::mem::size_of::<#slot>());
        writes.extend(if let Some(ty) = known.scalar_type() {
            // The record may be aligned less than the struct, so its members are only pointed to.
            quote!((*(&raw mut (*(#to as *mut __Raw)).#name as *mut __p::Packed<#ty>)).0 = #value;)
        } else if known.is_dynamic() == Some(false) {
            quote!(__p::Value::write(#value, #to.add(#start));)
        } else {
            let (at, len) = (size.clone(), local(&format!("len{i}")));
            lens.extend(quote!(let #len = __p::Value::len(#value);));
            size = quote!(#at.wrapping_add(#len));
            let (is_dynamic, shape) = (known.dynamic(), &known.shape);
            let place = quote!(__p::place(#to, #start, #is_dynamic, #shape.rel, #len, #at));
            quote!(__p::Value::write(#value, #place);)
        });
    }
    // C's struct may end with padding, unless data follow its fields.
    let is_dynamic = fields.iter().any(|known| known.is_dynamic() == Some(true));
    if !is_dynamic && layout.is_none_or(|(next, align)| next % align != 0) {
        writes.extend(quote!(__p::zero(#to, #end, #all);));
    }
    [lens, writes, size]
}

/// Expands the function that fills a record.
///
/// It's a safe function: the driver's expressions are evaluated in it, all of them before the record
/// is reserved, so that none of them runs while there's half a record. The library's functions are
/// called by their paths: a trait of the driver's could have a method of the same name, which the
/// compiler prefers if it takes `self` by value.
pub(crate) fn recorder(class: &Class, fields: &[Known<'_>]) -> Result<TokenStream> {
    let (arg, ty) = (class.args.names(), class.args.types());
    let (data, scratch, to, count) = (local("data"), local("scratch"), local("to"), local("count"));
    let mut elements = 0;
    let mut rewrite = |expr: &Expr| rewrite(expr.clone(), Some(&mut elements));
    let shared: Vec<_> = (class.values.iter())
        .filter_map(|local| {
            let (attrs, pat, init) = (&local.attrs, &local.pat, local.init.as_ref()?);
            let expr = rewrite(&init.expr);
            Some(quote!(#(#attrs)* let #pat = #expr;))
        })
        .collect();
    let exprs: Vec<_> = (fields.iter())
        .map(|known| rewrite(&known.field.value))
        .collect();
    // It's evaluated before the record is reserved, as all that's the driver's.
    let counted = class.perf_count.as_ref().map(|expr| {
        let expr = rewrite(expr);
        quote!(if __p::is_for_perf(#data) { #expr } else { 1 })
    });
    let counted = counted.unwrap_or_else(|| quote!(1));
    // Errors about a value are reported at its expression. No expression can see the other values.
    let hidden = |known: &Known<'_>| Span::mixed_site().located_at(span_of(&known.field.value));
    let value: Vec<_> = (fields.iter().enumerate())
        .map(|(i, known)| match is_argument(class, known) {
            true => known.field.value.to_token_stream(),
            false => format_ident!("__value{i}", span = hidden(known)).into_token_stream(),
        })
        .collect();
    let [lens, writes, size] = writes(fields, &value, &to);
    let probe = quote!(__trace_event_raw_event as *const __p::c_void);
    // A span has to know whether its begin has been recorded, which no expression of the driver's may say. Any other
    // function returns nothing, so that one can `return`.
    let is_told = class.kind.is_told;
    let ret = is_told.then(|| quote!(-> __p::Recorded));
    let recorded = is_told.then(|| quote!(__p::Recorded(#to as __p::usize != 0)));
    let mut body = quote! {
        let #count: __p::u64 = #counted;
        #lens
        let mut #scratch = __p::Scratch { empty: () };
        // SAFETY: The fields and the padding are all written, and committed with the same scratch and
        // destination.
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
        body = if let Some(ty) = known.scalar_type() {
            // If the expression has another type, the compiler's own error says it best.
            quote!(let #value: #ty = #expr; #body)
        } else {
            let is_generic = matches!(ty, Type::Path(path)
                if path.path.segments.last().is_some_and(|last| !last.arguments.is_none()));
            let ty = if known.kind().is_none() && !is_generic {
                // If it's no field, that's an error at the type, and the only one.
                quote_spanned!(span_of(ty)=> <#ty as __p::Field>::This)
            } else if depends_on_place(ty) {
                ty.to_token_stream()
            } else {
                moved(ty.to_token_stream(), span)
            };
            let expr = match known.is_formatted() {
                true => quote_spanned!(hidden(known)=> __p::Room::format(&__room, #expr)),
                false => expr.to_token_stream(),
            };
            // Temporaries live until the record has been written.
            //
            // An error about the value is reported at the value. The call is through a function
            // pointer: it has no name, so the compiler adds no note about it.
            let computed = quote_spanned! {span=>
                &({
                    let value: fn(_) -> _ = <#ty as __p::Assign<_>>::value;
                    value
                })(#expr)
            };
            quote!(match #computed { #value => { #body } })
        };
    }
    let formatted = fields.iter().filter(|known| known.is_formatted()).count();
    let room = room_for(class, elements + formatted)?;
    Ok(quote! {
        // Fills a record.
        #[inline(always)]
        #[allow(unreachable_code, unused_parens, unused_variables)]
        // Some expressions rely on them.
        #[deny(arithmetic_overflow, unconditional_panic)]
        fn __record(#data: __p::Destination #(, #arg: #ty)*) #ret {
            #room
            #(#shared)*
            #body
        }
    })
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

/// Returns whether there's a macro, a block or a call in a type, such as `line!()`. Elsewhere it could be another type.
fn depends_on_place(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string();
    let mut parentheses = text.match_indices('(');
    text.contains(['!', '{'])
        || parentheses.any(|(at, _)| !text[..at].trim_end().ends_with(['<', ',']))
}

/// Returns the tokens as if they were at `span`.
fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let one = |token| match token {
        TokenTree::Group(of) => {
            let span = of.span().located_at(span);
            group(of.delimiter(), moved(of.stream(), span), span).into()
        }
        mut token => {
            token.set_span(token.span().located_at(span));
            token
        }
    };
    tokens.into_iter().map(one).collect()
}
