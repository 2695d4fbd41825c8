declare const safe: unique symbol

/** A text that quotes no data, since it can be made of nothing but numbers and words of the program's own source. */
export type SafeText = string & { readonly [safe]: true }

/** A text whose value is not known to the source is no word of it. */
type Word<Part> = Part extends number | SafeText ? Part : string extends Part ? never : Part

/** Puts a safe text together: a part that comes from elsewhere is an error of types. */
export const safeText = <const Parts extends readonly (string | number)[]>(
  strings: TemplateStringsArray,
  ...parts: { readonly [Index in keyof Parts]: Word<Parts[Index]> } & Parts
): SafeText => String.raw({ raw: strings }, ...parts) as SafeText
