/** A table of a FlatBuffers message: fields by number, absent ones as undefined or the given default. */
export class FlatTable {
  private readonly view: DataView
  private readonly at: number

  constructor(view: DataView, at: number) {
    this.view = view
    this.at = at
  }

  /** The table that a message starts with. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return new FlatTable(view, view.getUint32(0, true))
  }

  /** Where a field's value lies; undefined when the table leaves it out. */
  private field(number: number): number | undefined {
    const vtable = this.at - this.view.getInt32(this.at, true)
    const slot = 4 + number * 2
    if (slot >= this.view.getUint16(vtable, true)) return undefined
    const offset = this.view.getUint16(vtable + slot, true)
    return offset === 0 ? undefined : this.at + offset
  }

  private target(position: number): number {
    return position + this.view.getUint32(position, true)
  }

  byte(number: number, absent = 0): number {
    const at = this.field(number)
    return at === undefined ? absent : this.view.getUint8(at)
  }

  short(number: number, absent = 0): number {
    const at = this.field(number)
    return at === undefined ? absent : this.view.getInt16(at, true)
  }

  int(number: number, absent = 0): number {
    const at = this.field(number)
    return at === undefined ? absent : this.view.getInt32(at, true)
  }

  long(number: number): number {
    const at = this.field(number)
    return at === undefined ? 0 : Number(this.view.getBigInt64(at, true))
  }

  table(number: number): FlatTable | undefined {
    const at = this.field(number)
    return at === undefined ? undefined : new FlatTable(this.view, this.target(at))
  }

  text(number: number): string {
    const at = this.field(number)
    if (at === undefined) return ''
    const start = this.target(at)
    const bytes = new Uint8Array(
      this.view.buffer,
      this.view.byteOffset + start + 4,
      this.view.getUint32(start, true),
    )
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  }

  tables(number: number): readonly FlatTable[] {
    const at = this.field(number)
    if (at === undefined) return []
    const start = this.target(at)
    return Array.from({ length: this.view.getUint32(start, true) }, (_, index) => {
      const position = start + 4 + index * 4
      return new FlatTable(this.view, this.target(position))
    })
  }

  /** A vector of structs of 64-bit fields, read as numbers, `width` to a struct. */
  structs(number: number, width: number): readonly (readonly number[])[] {
    const at = this.field(number)
    if (at === undefined) return []
    const start = this.target(at)
    return Array.from({ length: this.view.getUint32(start, true) }, (_, index) =>
      Array.from({ length: width }, (_, part) =>
        Number(this.view.getBigInt64(start + 4 + (index * width + part) * 8, true)),
      ),
    )
  }
}
