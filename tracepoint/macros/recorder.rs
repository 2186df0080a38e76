// SPDX-License-Identifier: GPL-2.0

//! The layout of an event's record, and the function that fills it when the event fires.

use crate::{
    expression::{rewrite, room},
    field::Known,
    model::Class,
    show::Kind,
    tokens::{local, span_of},
};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::Type;

/// Where the fields begin: the size of `struct trace_entry`. The library checks it.
const ENTRY: usize = 8;

/// Lays out the fields as C does, as far as their types are known by their names. Returns the size of
/// C's struct, if all of them are.
pub(crate) fn layout(fields: &mut [Known<'_>]) -> Option<usize> {
    let (mut end, mut alignment) = (ENTRY, 4);
    for field in fields {
        let (size, align) = field.size()?;
        let start = end.next_multiple_of(align.max(1));
        field.offset = Some(start);
        end = start + size;
        alignment = alignment.max(align);
    }
    Some(end.next_multiple_of(alignment))
}

/// Expands to the size of a record up to the data after its fields, or, without such data, to the
/// size of C's whole struct. That size is `known` if all types are.
fn record_size(fields: &[Known<'_>], known: Option<usize>) -> TokenStream {
    let Some(size) = known else {
        return quote!(const { __p::Layout::size(&__LAYOUT) });
    };
    let is_dynamic = fields.iter().any(|known| known.is_dynamic() == Some(true));
    match fields.last() {
        Some(last) if is_dynamic => last.end(),
        _ => Literal::usize_unsuffixed(size).into_token_stream(),
    }
}

/// Expands what zeroes the bytes of the record at `to` between two places, which may be known.
fn zero(
    to: &Ident,
    from: Option<usize>,
    from_place: &TokenStream,
    until: Option<usize>,
    until_place: &TokenStream,
) -> TokenStream {
    match (from, until) {
        (Some(from), Some(until)) if from == until => TokenStream::new(),
        (Some(from), Some(until)) => {
            let gap = Literal::usize_unsuffixed(until - from);
            quote!(*(#to.add(#from_place) as *mut [__p::u8; #gap]) = [0; #gap];)
        }
        _ => quote!(__p::zero(#to, #from_place, #until_place);),
    }
}

/// The largest record in a trace buffer, as the library has it.
pub(crate) const RECORD_MAX: usize = 4072;

/// Expands the local with the room for what the fields compute before there's a record.
fn room_for(class: &Class, room: &Ident, calls: usize, fields: &[Known<'_>]) -> TokenStream {
    let formatted = fields.iter().filter(|known| known.is_formatted()).count();
    let users = Literal::usize_unsuffixed(calls + formatted);
    let unknown: Vec<_> = fields
        .iter()
        .filter(|known| known.kind.is_none())
        .map(Known::shape)
        .collect();
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

/// How many fields can share the [`room_for`] them.
const COMPUTED_MAX: usize = 8;

/// Expands the function that fills a record.
///
/// It's a safe function: the driver's expressions are evaluated in it, all of them before the record
/// is reserved, so that none of them runs while there's half a record. The library's functions are
/// called by their paths: a trait of the driver's could have a method of the same name, which the
/// compiler prefers if it takes `self` by value.
pub(crate) fn recorder(class: &Class, fields: &[Known<'_>], size: Option<usize>) -> TokenStream {
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
            let expr = rewrite(&init.expr, Some(&mut computed));
            Some(quote!(#(#attrs)* let #pat = #expr;))
        })
        .collect();
    let exprs: Vec<_> = fields
        .iter()
        .map(|known| rewrite(&known.field.value, Some(&mut computed)))
        .collect();
    let (data, scratch) = (local("data"), local("scratch"));
    let (size_local, to, room) = (local("size"), local("to"), room());
    let mut places = TokenStream::new();
    let mut writes = TokenStream::new();
    let mut known_end = Some(ENTRY);
    let mut end = quote!(#ENTRY);
    let any_dynamic = fields.iter().any(|known| known.is_dynamic() != Some(false));
    for (i, known) in fields.iter().enumerate() {
        let (ty, value) = (&known.field.ty, &value[i]);
        let (at, len) = (local(&format!("at{i}")), local(&format!("len{i}")));
        if known.is_dynamic() != Some(false) {
            places.extend(quote! {
                let #at = #size_local;
                let #len = __p::Value::len(#value, &#room);
                #size_local = #size_local.wrapping_add(#len);
            });
        }
        let start = known.start();
        writes.extend(zero(&to, known_end, &end, known.offset, &start));
        (known_end, end) = (known.known_end(), known.end());
        writes.extend(if known.is_scalar() {
            // If the type isn't a `scalar`, the table of fields checks it.
            let ty = known.scalar.clone().unwrap_or_else(|| ty.to_token_stream());
            if matches!(known.kind, Some(Kind::Int { size: ..=4, .. })) && known.offset.is_some() {
                let slot = known.slot(&to, &ty);
                quote!(#slot = #value;)
            } else {
                let slot = known.slot(&to, &quote!(__p::Unaligned<#ty>));
                quote!(#slot = __p::Unaligned(#value);)
            }
        } else if known.is_dynamic() == Some(true) {
            let base = if known.rel { end.clone() } else { quote!(0) };
            let slot = known.slot(&to, &quote!(__p::Unaligned<__p::u32>));
            quote! {
                #slot = __p::location(#len, #at, #base);
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
    }
    let fixed_size = record_size(fields, size);
    // `reserve` has zeroed the bytes that round the size up. A type that isn't known may have its data
    // in the record itself, so C's struct may end with padding.
    let tail = if !any_dynamic {
        Some(zero(&to, known_end, &end, size, &fixed_size))
    } else {
        let unknown = fields.iter().any(|known| known.kind.is_none());
        unknown.then(|| quote!(__p::zero(#to, #end, #fixed_size);))
    };
    let mutable = any_dynamic.then(|| quote!(mut));
    let probe = quote!(__trace_event_raw_event as *const __p::c_void);
    // A span has to know whether its begin has been recorded.
    let is_told = class.kind.is_told();
    let ret = is_told.then(|| quote!(-> __p::bool));
    let recorded = is_told.then(|| quote!(#to as __p::usize != 0));
    let (counted, commit) = match &class.perf_count {
        Some(expr) => {
            let expr = rewrite(expr, Some(&mut computed));
            let count = local("count");
            (
                quote!(let #count: __p::u64 = if __p::is_for_perf(#data) { #expr } else { 1 };),
                quote!(__p::commit_counted(#scratch, #data, #to, #probe, #count)),
            )
        }
        None => (
            TokenStream::new(),
            quote!(__p::commit(#scratch, #data, #to, #probe)),
        ),
    };
    let mut body = quote! {
        #counted
        let #mutable #size_local: __p::usize = #fixed_size;
        #places
        let mut #scratch = __p::MaybeUninit::<__p::Scratch>::uninit();
        // SAFETY: `begin` has returned `true`. All is written: the fields and the padding.
        unsafe {
            let #scratch = &raw mut #scratch as *mut __p::Scratch;
            let #to = __p::reserve(#scratch, #data, #size_local);
            if #to as __p::usize != 0 {
                #tail
                #writes
                #commit;
            }
            #recorded
        }
    };
    for ((known, value), expr) in fields.iter().zip(&value).zip(&exprs).rev() {
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
            let is_name = matches!(ty, Type::Path(path)
                if path.path.segments.last().is_some_and(|last| last.arguments.is_none()));
            let ty = if known.kind.is_none() && is_name {
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
