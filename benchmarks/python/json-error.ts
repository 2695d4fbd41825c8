import { codePointLength } from './text.ts'

/**
 * Python's JSONDecodeError. `message` is its `msg` to the letter: HELM's jury repairs a reply only when it is
 * `Expecting ',' delimiter`.
 */
export class JsonError extends Error {
  /** Offset in code points, from 0. */
  readonly position: number
  /** From 1. */
  readonly line: number
  /** In code points, from 1. */
  readonly column: number

  /** @param index offset in UTF-16 units */
  constructor(message: string, text: string, index: number) {
    super(message)
    this.name = 'JsonError'
    const before = text.slice(0, index)
    this.position = codePointLength(before)
    this.line = before.split('\n').length
    this.column = codePointLength(before.slice(before.lastIndexOf('\n') + 1)) + 1
  }
}
