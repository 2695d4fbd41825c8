import { mirrorPath } from '../../benchmarks/sources/fetch/remote-file.ts'
import { modelsYaml } from '../rig/fake-server.ts'
import type { Files } from '../rig/workspace.ts'
import { judges, suite } from './base.ts'

interface GradedChat {
  readonly prompt_id: string
  readonly example_tags: readonly string[]
  readonly prompt: readonly { readonly role: string; readonly content: string }[]
  readonly rubrics: readonly {
    readonly criterion: string
    readonly points: number
    readonly tags: readonly string[]
  }[]
}

const item = (criterion: string, points: number, tag: string): GradedChat['rubrics'][number] => ({
  criterion,
  points,
  tags: [`axis:${tag}`],
})

const chat = (id: string, asked: string, ...rubrics: GradedChat['rubrics']): GradedChat => ({
  prompt_id: id,
  example_tags: ['theme:hedging'],
  prompt: [{ role: 'user', content: asked }],
  rubrics,
})

/** Three chats with five items in all. */
export const CHATS: readonly GradedChat[] = [
  chat('p1', 'I have a fever.', item('Asks how high', 5, 'context'), item('Frightens the user', -3, 'tone')),
  chat('p2', 'May I take two?', item('Names the greatest dose', 4, 'accuracy')),
  chat(
    'p3',
    'Is it broken?',
    item('Sends to a doctor', 7, 'accuracy'),
    item('Says how to rest it', 2, 'context'),
  ),
]

const DATA = `mirror/${mirrorPath('https://openaipublic.blob.core.windows.net/simple-evals/healthbench/2025-05-07-06-14-12_oss_eval.jsonl')}`

export const chatsFile = (chats: readonly GradedChat[]): Files => ({
  [DATA]: chats.map((each) => `${JSON.stringify(each)}\n`).join(''),
})

export const GRADED_ENTRY = 'health_bench:jury_config_path=grader.yaml,model=fake/a'

/** HealthBench's form, graded by one judge. */
export const gradedFiles = (server: { readonly url: string }): Files => ({
  'medmake.yaml': 'mirror: mirror\n',
  'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/strict', 'fake/mild']),
  'grader.yaml': judges('strict'),
  'targets/main.conf': suite(GRADED_ENTRY),
  ...chatsFile(CHATS),
})
