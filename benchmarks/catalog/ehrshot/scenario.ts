import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { readLabels, type Label, type Subject } from '../../ehrshot/labels.ts'
import { Prompts, type Task } from '../../ehrshot/prompt.ts'
import { timelines } from '../../ehrshot/timelines.ts'
import { str } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { tiktoken } from '../../../cache/tokens/tiktoken.ts'

/**
 * One question a label: will it happen to the patient? As in HELM the n-th prompt is that
 * of the n-th label by patient and time, the n-th answer that of the n-th label of the file; with the erratum
 * `shifted-prompts` corrected both are of one label.
 */
export async function* instances(
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
  { corrected }: Pick<ScenarioVersion, 'corrected'>,
): AsyncGenerator<DraftInstance> {
  const subject = str(args.get('subject') ?? '')
  const maxLength = Number(args.get('max_length'))
  const labels = await readLabels(dataFile(data.files, 'labels').path, subject)
  const prompts = new Prompts(taskOf(data, subject), tiktoken('cl100k_base'))
  let index = 0
  const asked = sorted(labels)
  const answered = corrected.includes('shifted-prompts') ? asked : labels
  for await (const { events, codes } of timelines(dataFile(data.files, 'events').path, asked)) {
    const [patient, label] = [asked[index], answered[index]]
    index += 1
    if (label === undefined || prompts.count(events, codes) > maxLength) continue
    yield {
      input: { text: prompts.text(events, codes) },
      references: ['yes', 'no'].map((text) => ({
        text,
        tags: (text === 'yes') === label.value ? ['correct'] : [],
      })),
      split: 'test',
      ...(patient === undefined ? {} : { cluster: String(patient.subject) }),
    }
  }
}

/** By patient, then by time, labels without one last. */
const sorted = (labels: readonly Label[]): readonly Label[] =>
  labels.toSorted((a, b) => compare(a.subject, b.subject) || compareTimes(a.time, b.time))

const compare = (a: Subject, b: Subject): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}

const compareTimes = (a: bigint | undefined, b: bigint | undefined): number => {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a < b ? -1 : a > b ? 1 : 0
}

const taskOf = (data: SourceData, subject: string): Task => {
  const tasks = dataFile(data.json, 'tasks').value as ReadonlyMap<string, ReadonlyMap<string, PyValue>>
  const text = (field: string): string => str(tasks.get(subject)?.get(field) ?? '')
  const definition = tasks.get(subject)?.get('short_definition')
  return {
    fullName: text('full_name'),
    persona: text('persona'),
    question: text('question'),
    codes: (tasks.get(subject)?.get('codes_sorted') ?? []) as readonly string[],
    ...(typeof definition === 'string' ? { definition } : {}),
  }
}
