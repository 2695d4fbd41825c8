import type { SafeText } from './problem.ts'

/** What is wrong with the form of a file, without a word of what stands in it. */
export class FormatError extends RangeError {
  readonly safe: SafeText
  /** Where fetching the file again would not help. */
  readonly remedy: string | undefined

  constructor(text: SafeText, remedy?: string) {
    super(text)
    this.safe = text
    this.remedy = remedy
  }
}
