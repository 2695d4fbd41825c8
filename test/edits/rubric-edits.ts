import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFiles } from '../rig/workspace.ts'
import { judges, suite } from './base.ts'
import type { Edit } from './edit.ts'
import { CHATS, chatsFile, GRADED_ENTRY } from './graded-base.ts'

type Chat = (typeof CHATS)[number]
type Item = Chat['rubrics'][number]

/** The publisher serves another file, and the workspace takes it. */
const published = (root: string, chats: readonly Chat[]): void => {
  rmSync(join(root, 'benchmarks/datasets.lock'), { force: true })
  writeFiles(root, chatsFile(chats))
}

const first =
  (change: (chat: Chat) => Partial<Chat>) =>
  (root: string): void =>
    published(
      root,
      CHATS.map((chat, at) => (at === 0 ? { ...chat, ...change(chat) } : chat)),
    )
const items = (change: (rubrics: readonly Item[]) => readonly Item[]) =>
  first(({ rubrics }) => ({ rubrics: change(rubrics) }))
const firstItem = (part: Partial<Item>) =>
  items((rubrics) => rubrics.map((each, at) => (at === 0 ? { ...each, ...part } : each)))

/** Edits of chats that bring their own rubric. An item's grade hangs on the chat, the answer and what the grader is shown. */
export const rubricEdits: readonly Edit[] = [
  { about: 'nothing', apply: () => {}, work: {} },
  {
    about: "an item's text",
    apply: firstItem({ criterion: 'Asks for how long' }),
    work: { instances: 3, prompts: 1, annotations: 1, metrics: 2, calls: 1 },
  },
  {
    about: "an item's points",
    apply: firstItem({ points: 6 }),
    work: { instances: 3, prompts: 1, annotations: 1, metrics: 2, calls: 1 },
    why: 'the grader is shown them',
  },
  {
    about: "an item's tags",
    apply: firstItem({ tags: ['axis:other'] }),
    work: { instances: 3, prompts: 1, metrics: 2 },
  },
  {
    about: 'items in another order',
    apply: items((all) => all.toReversed()),
    work: { instances: 3, prompts: 1, annotations: 1, metrics: 2 },
    why: 'each item has its grade; the score is added up anew',
  },
  {
    about: 'an item added',
    apply: items((all) => [...all, { criterion: 'Is short', points: 1, tags: [] }]),
    work: { instances: 3, prompts: 1, annotations: 1, metrics: 2, calls: 1 },
  },
  {
    about: 'an item removed',
    apply: items((all) => all.slice(0, 1)),
    work: { instances: 3, prompts: 1, annotations: 1, metrics: 2 },
  },
  {
    about: "a chat's theme",
    apply: first(() => ({ example_tags: ['theme:other'] })),
    work: { instances: 3, prompts: 1, metrics: 2 },
  },
  {
    about: "a chat's id",
    apply: first(() => ({ prompt_id: 'p9' })),
    work: { instances: 3, prompts: 1, metrics: 2 },
  },
  {
    about: "a chat's last message",
    apply: first(() => ({ prompt: [{ role: 'user', content: 'I have a high fever.' }] })),
    work: { instances: 3, prompts: 1, completions: 1, annotations: 1, metrics: 2, calls: 3 },
    why: 'one answer, and two items of it',
  },
  {
    about: 'a chat put behind the others',
    apply: (root) => published(root, [...CHATS.slice(1), ...CHATS.slice(0, 1)]),
    work: { instances: 3 },
  },
  { about: 'a chat removed', apply: (root) => published(root, CHATS.slice(1)), work: { instances: 2 } },
  {
    about: 'no system message',
    apply: (root) =>
      writeFiles(root, { 'targets/main.conf': suite(GRADED_ENTRY.replace(':', ':system=none,')) }),
    work: { instances: 3, prompts: 3, completions: 3, annotations: 3, metrics: 6, calls: 8 },
    why: 'three answers and five items: graders are shown the chat as it was sent',
  },
  {
    about: 'a second grader',
    apply: (root) => writeFiles(root, { 'grader.yaml': judges('strict', 'mild') }),
    work: { annotations: 3, metrics: 3, calls: 5 },
    why: 'five items',
  },
  {
    about: 'the grader renamed',
    apply: (root) =>
      writeFiles(root, { 'grader.yaml': judges('strict').replace('name: strict', 'name: severe') }),
    work: { metrics: 3 },
  },
]
