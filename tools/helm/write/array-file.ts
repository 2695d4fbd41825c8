import type { PyValue } from '../../../benchmarks/python/value.ts'
import { indented } from './json-chunks.ts'
import type { StagedFile } from './staged-file.ts'

/** A JSON list in a file of its own, written element by element. */
export class ArrayFile {
  readonly #file: StagedFile
  #opened = false

  constructor(file: StagedFile) {
    this.#file = file
  }

  async push(element: PyValue): Promise<void> {
    await this.#file.write(`${this.#opened ? ',' : '['}\n  ${indented(element, 1)}`)
    this.#opened = true
  }

  async end(): Promise<void> {
    await this.#file.write(this.#opened ? '\n]' : '[]')
  }
}
