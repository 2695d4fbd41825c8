import { ProblemError } from '../../../cache/problems/problem.ts'

/**
 * Who reads the file (HELM.md B12):
 * - `python`: csv.reader over a file in text mode;
 * - `pandas`: read_csv with its C parser;
 * - `strict`: as pandas, but what it merely tolerates is a problem.
 */
export type CsvDialect = 'python' | 'pandas' | 'strict'

/** The cells of one row as written; `line` is where it starts, from 1. */
export interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/**
 * Splits CSV text (comma or another separator, double quotes doubled inside quotes) into records. A quote opens a field only as its first
 * character; what follows a closing quote is appended to the field. Empty lines give an empty record in the python
 * dialect and none in the others, where lines of blanks count as empty too.
 *
 * @throws ProblemError `benchmarks/csv` with line and column, except in the python dialect, which takes everything
 */
export const csvRecords = (
  text: string,
  dialect: CsvDialect,
  file: string,
  separator = ',',
): readonly CsvRecord[] => {
  const reader = new CsvReader(text, dialect, file, separator)
  const records: CsvRecord[] = []
  while (!reader.atEnd()) {
    const record = reader.record()
    if (record !== undefined) records.push(record)
  }
  return records
}

class CsvReader {
  private readonly text: string
  private readonly dialect: CsvDialect
  private readonly file: string
  private readonly separator: string
  private at = 0
  private line = 1

  constructor(text: string, dialect: CsvDialect, file: string, separator: string) {
    this.text = text
    this.dialect = dialect
    this.file = file
    this.separator = separator
  }

  atEnd(): boolean {
    return this.at >= this.text.length
  }

  record(): CsvRecord | undefined {
    const { line } = this
    // Blanks alone are an empty line to pandas, tabs only where they separate nothing.
    const blanks = this.separator === '\t' ? / *(?=\n|\r|$)/y : /[ \t]*(?=\n|\r|$)/y
    const blank = this.dialect === 'python' ? /(?=\n|\r)/y : blanks
    blank.lastIndex = this.at
    const found = blank.exec(this.text)
    if (found !== null) {
      this.at += found[0].length
      this.endRow()
      return this.dialect === 'python' ? { cells: [], line } : undefined
    }
    const cells = [this.cell()]
    while (this.text[this.at] === this.separator) {
      this.at++
      cells.push(this.cell())
    }
    this.endRow()
    return { cells, line }
  }

  private cell(): string {
    if (this.text[this.at] !== '"') return this.bare()
    const value = this.quoted()
    const rest = this.bare()
    if (rest !== '' && this.dialect === 'strict')
      throw this.problem(
        `text follows a closing quote: ${JSON.stringify(rest.slice(0, 20))}`,
        this.at - rest.length,
        'A quote inside a quoted cell is written twice: "".',
      )
    return value + rest
  }

  private bare(): string {
    const end = this.separator === '\t' ? /[\t\n\r]/g : /[,\n\r]/g
    end.lastIndex = this.at
    const start = this.at
    this.at = end.exec(this.text)?.index ?? this.text.length
    return this.text.slice(start, this.at)
  }

  private quoted(): string {
    const opening = this.at
    let value = ''
    for (let start = opening + 1; ; start = this.at) {
      const quote = this.text.indexOf('"', start)
      const end = quote === -1 ? this.text.length : quote
      value += this.text.slice(start, end)
      this.at = end + 1
      if (quote === -1) {
        if (this.dialect !== 'python')
          throw this.problem(
            'a quoted cell starts here and never ends',
            opening,
            'Close the quote, or double it if it belongs to the text.',
          )
        break
      }
      if (this.text[this.at] !== '"') break
      value += '"'
      this.at++
    }
    this.line += value.split(/\r\n|[\n\r]/).length - 1
    return value
  }

  private endRow(): void {
    if (this.text.startsWith('\r\n', this.at)) this.at++
    this.at++
    this.line++
  }

  private problem(message: string, offset: number, remedy: string): ProblemError {
    const before = this.text.slice(0, offset).split(/\r\n|[\n\r]/)
    return new ProblemError({
      code: 'benchmarks/csv',
      message,
      where: { file: this.file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
      remedy,
    })
  }
}
