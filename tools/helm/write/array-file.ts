import type { StagedFile } from './staged-file.ts'

/** A JSON list in a file of its own, written element by element. */
export class ArrayFile {
  readonly #file: StagedFile
  #opened = false

  constructor(file: StagedFile) {
    this.#file = file
  }

  /** @param element its text, as it is to stand in the file */
  push(element: string): void {
    this.#file.write((this.#opened ? ',\n  ' : '[\n  ') + element)
    this.#opened = true
  }

  end(): void {
    this.#file.write(this.#opened ? '\n]' : '[]')
  }
}
