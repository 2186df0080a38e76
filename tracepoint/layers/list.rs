// SPDX-License-Identifier: GPL-2.0

// The layers, for the library and for the macros' crate. To leave one out, remove its folder and its line.
//
// After the name is the module that the macros' crate has of it, if any, and the procedural macros in that
// module: attributes, functions, and derives with the attributes that they know and the function that expands
// them. What each function takes is in `macros/lib.rs`.
layers! {
    flatten macros [TraceFields(skip, flatten) = trace_fields];
    linux macros kernel_tracepoint! header_tracepoints! trace_custom_event!;
    names macros [TraceEnum(name) = trace_enum] [TraceFlags(flags, name) = trace_flags];
    recorder;
    schema macros;
    span macros #[instrument];
    structs macros tracepoint_struct! [TraceStruct() = trace_struct];
    traceable macros #[traceable];
}
