import { expect, test } from 'vitest'
import { ProblemError, safeText } from '../../cache/problems/problem.ts'
import { discreetError, withheld } from '../../cache/problems/withheld.ts'

const TEXT = 'Mrs Example, born 1 January 1950, takes warfarin'

test('a long text is told by length and digest, a short one, which could be guessed, by length alone', () => {
  expect(withheld(TEXT)).toMatch(/^\[48 characters withheld, sha256 [0-9a-f]{12}\]$/)
  expect(withheld('warfarin')).toBe('[8 characters withheld]')
  for (const text of [TEXT, 'warfarin']) expect(withheld(withheld(text))).toBe(withheld(text))
  expect(withheld(`${withheld(TEXT)} and more`)).not.toContain('and more')
})

test('a problem of data keeps code and place and loses what it says', () => {
  const where = { file: 'data.csv', row: 3, field: 'note' }
  const found = discreetError(
    new ProblemError({
      code: 'benchmarks/not-text',
      message: `${TEXT} is no answer`,
      where,
      remedy: `not ${TEXT}`,
    }),
  ) as ProblemError
  expect(found.problems).toMatchObject([{ code: 'benchmarks/not-text', where }])
  expect(JSON.stringify(found.problems) + String(found) + found.stack).not.toContain('Example')
})

test('a problem of files keeps its words, a refusal its exit code', () => {
  const problem = { code: 'benchmarks/missing-data', message: 'no data', remedy: 'Request it.' }
  expect((discreetError(new ProblemError(problem)) as ProblemError).problems).toEqual([problem])
  expect((discreetError(new ProblemError(problem, { exitCode: 5 })) as ProblemError).exitCode).toBe(5)
})

test('what names columns or counts cells is said whole, a remedy without a cell in any case', () => {
  const said = (code: string, message: string, remedy: string) =>
    (discreetError(new ProblemError({ code, message, remedy })) as ProblemError).problems[0]
  const ragged = { code: 'benchmarks/ragged-row', message: 'row 3 has 4 cells', remedy: 'Use quotes.' }
  expect(said(ragged.code, ragged.message, ragged.remedy)).toEqual(ragged)
  const template = said('benchmarks/template', `the value ${TEXT} does not fit`, 'Check the format.')
  expect(template?.message).not.toContain('Example')
  expect(template?.remedy).toBe('Check the format.')
})

test('a header in which nothing is known may be a first row, and is not listed', () => {
  const problem = {
    code: 'benchmarks/missing-column',
    message: 'the prompt needs a column "note"',
    remedy: `The file has the columns "4711", "${TEXT}".`,
  }
  const said = (listsData?: true) =>
    (
      discreetError(
        new ProblemError({ ...problem, ...(listsData === undefined ? {} : { listsData }) }),
      ) as ProblemError
    ).problems[0]
  expect(said()).toEqual(problem)
  expect(said(true)?.message).toBe(problem.message)
  expect(said(true)?.remedy).not.toContain('Example')
})

test('a fault of ours keeps its frames, and neither its message nor its cause', () => {
  const error = new TypeError(`${TEXT}\nis no text`, { cause: new Error(TEXT) })
  const found = discreetError(error) as Error
  expect(found.stack).toMatch(/^TypeError: \[.*withheld.*\]\n +at .*withheld\.test\.ts/)
  expect(`${found.stack}${found.message}${String(found.cause)}`).not.toContain('Example')
})

test('the safe part of a problem is said where the whole may quote', () => {
  const problem = {
    code: 'benchmarks/xml',
    message: `the file is not well-formed XML: <${TEXT}> does not end`,
    safe: safeText`the file is not well-formed XML at row ${7}`,
    remedy: 'Export it again.',
  }
  const [said] = (discreetError(new ProblemError(problem)) as ProblemError).problems
  expect(said).toMatchObject({ message: 'the file is not well-formed XML at row 7', remedy: problem.remedy })
  expect(JSON.stringify(said)).not.toContain('Example')
  const listing = new ProblemError({ ...problem, remedy: `It has "${TEXT}".`, listsData: true })
  const [other] = (discreetError(listing) as ProblemError).problems
  expect(other?.message).toBe('the file is not well-formed XML at row 7')
  expect(JSON.stringify(other)).not.toContain('Example')
})

test('a safe text takes numbers, words of the source and safe texts, and nothing that comes from elsewhere', () => {
  const kind = ['date', 'time'].includes('date') ? 'date' : 'time'
  expect(safeText`a ${safeText`cell ${3}`} of the kind ${kind}`).toBe('a cell 3 of the kind date')
  const note: string = TEXT
  // @ts-expect-error a text of unknown value is refused where the program is typed
  expect(safeText`${note}`).toBe(TEXT)
})

test('what went through once stays as it is', () => {
  const quoting = { code: 'benchmarks/xml', message: `<${TEXT}> does not end`, remedy: 'Export it again.' }
  const listing = { ...quoting, safe: safeText`it does not end`, listsData: true as const }
  for (const problem of [quoting, { ...quoting, safe: safeText`it does not end` }, listing]) {
    const once = discreetError(new ProblemError(problem)) as ProblemError
    expect((discreetError(once) as ProblemError).problems).toEqual(once.problems)
  }
})

test('what is said of prices and caps quotes no text, and is said whole', () => {
  const problem = { code: 'spend/no-price', message: 'fake/a has no price', remedy: 'Add it.' }
  expect((discreetError(new ProblemError(problem)) as ProblemError).problems).toEqual([problem])
})
