/** JSON values as keys and stored records hold them. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** True for an object of keys and values, as against lists and null. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON text; undefined for what is none. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a schema makes of a file, which nobody changes. */
export type Fixed<T> = Json extends T ? T : { readonly [K in keyof T]: Fixed<T[K]> }
