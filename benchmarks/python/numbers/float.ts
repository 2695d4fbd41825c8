/**
 * A number that Python holds as a float even when it is whole: prints as `1.0`, not `1`.
 * Plain JS numbers stand for Python ints when whole, for floats otherwise.
 */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toJSON(): number {
    return this.value
  }
}

export const float = (value: number): Float => new Float(value)

/** The plain number behind either form. */
export const numberOf = (value: number | Float): number => (value instanceof Float ? value.value : value)
