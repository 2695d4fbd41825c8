import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'
import { RUBRIC } from './rubric.ts'

export interface RatedWorkspaceOptions {
  readonly notes: number
  readonly models?: readonly string[]
  readonly access?: 'public' | 'private'
  /** A model's answer to a note, counted from 0. */
  readonly answer?: (model: string, note: number) => string
  readonly note?: (note: number) => string
  readonly files?: Files
}

/** The jury's score of a model's answer to a note, from 2 to 5. */
export const juryScore = (model: string, note: number): number =>
  2 + ((note * 5 + (model.endsWith('b') ? 3 : 0)) % 4)

/** A workspace whose suite `main` is built: models that answer notes, and a judge. */
export const ratedWorkspace = async ({
  notes,
  models = ['fake/a', 'fake/b'],
  access = 'public',
  answer = (model, note) => `${model.slice(-1)} says of note ${note}.`,
  note = (index) => `note ${index}`,
  files = {},
}: RatedWorkspaceOptions): Promise<string> => {
  const server = await fakeServer({
    answer: ({ model, prompt }) => {
      if (models.includes(model)) return answer(model, Number(/#(\d+)#/.exec(prompt)?.[1]))
      // The judge: which answer it is stands in the rubric's question and response.
      const at = Number(/#(\d+)#/.exec(prompt)?.[1])
      const by = models.find((each) => prompt.includes(answer(each, at))) ?? ''
      const score = juryScore(by, at)
      return `{"accuracy": {"score": ${score}, "explanation": ""}, "clarity": {"score": ${score}, "explanation": ""}}`
    },
  })
  const root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, [...models, 'fake/judge']),
    ...shortBenchmark(
      { name: 'summaries', access, judges: ['fake/judge'] },
      {
        prompt: 'Summarise #{number}#: {note}',
        rubric: RUBRIC,
        data: `number,note,correct_answer\n${Array.from({ length: notes }, (_, at) => `${at},"${note(at).replaceAll('"', '""')}","reference ${at}"\n`).join('')}`,
      },
    ),
    'targets/main.conf': `entries: [${models.map((model) => `{description: "summaries:model=${model}"}`).join(', ')}]`,
    ...files,
  })
  const run = await medmake(['run'], { cwd: root })
  if (run.code !== 0) throw new Error(run.stderr)
  return root
}
