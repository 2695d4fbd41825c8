import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { str } from '../../python/numbers/number.ts'
import { strip, DIGIT } from '../../python/text.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { elementsOf, ownText, type XmlElement, type XmlFile } from '../../sources/xml/xml-tree.ts'

const RECORD_DATE = new RegExp(`Record date: ([${DIGIT}]{4}-[${DIGIT}]{2}-[${DIGIT}]{2})`, 'u')

/**
 * One question a patient: do the notes meet the criterion?
 * @throws ProblemError `benchmarks/xml`, `benchmarks/no-tag`
 */
export function* instances(data: SourceData, args: ReadonlyMap<string, PyValue>): Generator<DraftInstance> {
  const subject = str(args.get('subject') ?? '')
  const definition = str(args.get('definition') ?? '')
  for (const record of dataFile(data.xmlFolders, 'records')) {
    const { notes, tags } = patientOf(record)
    const met = tags.get(subject)
    if (met === undefined) throw noTag(record.file, subject, tags)
    yield {
      input: { text: question(subject, definition, notes) },
      references: ['yes', 'no'].map((text) => ({ text, tags: (text === 'yes') === met ? ['correct'] : [] })),
      split: 'test',
    }
  }
}

interface Patient {
  readonly notes: readonly string[]
  /** Criterion → met. */
  readonly tags: ReadonlyMap<string, boolean>
}

/** Of several TEXT elements or equal tags the last counts. */
const patientOf = ({ root }: XmlFile): Patient => {
  let notes: readonly string[] = []
  const tags = new Map<string, boolean>()
  const visit = (element: XmlElement): void => {
    if (element.name === 'TEXT') notes = notesOf(ownText(element) ?? '')
    if (element.name === 'TAGS')
      for (const tag of elementsOf(element)) tags.set(tag.name, tag.attributes['met'] === 'met')
    for (const child of elementsOf(element)) visit(child)
  }
  visit(root)
  return { notes, tags }
}

const notesOf = (text: string): readonly string[] =>
  text
    .replaceAll('\n\n\n', '\n')
    .split('*'.repeat(100))
    .map(strip)
    .filter((note) => note !== '')

const noTag = (file: string, subject: string, tags: Patient['tags']): ProblemError =>
  new ProblemError({
    code: 'benchmarks/no-tag',
    safe: safeText`the record says nothing on what is asked`,
    message: `the record says nothing on ${subject}`,
    where: { file, field: subject },
    remedy: `It has ${[...tags.keys()].join(', ') || 'no tags at all'}. Copy the file from the data set again.`,
    listsData: true,
  })

const RULE = '-'.repeat(100)

const question = (subject: string, definition: string, notes: readonly string[]): string => {
  const dates = notes.map((note) => RECORD_DATE.exec(note)?.[1])
  const shown = notes.map((note, index) => `## Note #${index + 1}\nDate: ${dates[index] ?? ''}\n${note}`)
  const today = dates.findLast((date) => date !== undefined) ?? 'None'
  // The indentation and the runs of blanks are HELM's own.
  return `
    # Task
    Your job is to decide whether the given patient meets the inclusion criterion for a clinical trial.

    # Inclusion Criterion
    The inclusion criterion being assessed is: "${subject}".
    The definition of the inclusion criterion is: "${definition}".

    # Patient Clinical Notes
    Below is a set of ${notes.length} clinical notes describing the patient's current health status.     Each note is separated by a header with the date that the note was written, as well as a long list of asterisks.

    ${RULE}

    ${shown.join(`\n${'*'.repeat(50)}\n\n`)}

    ${RULE}

    # Current Date
    Assume that the current date is: ${today}

    # Question
    Does the patient meet the inclusion criterion "${subject}"?
    `
}
