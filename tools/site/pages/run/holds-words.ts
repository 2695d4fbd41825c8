import type { InstanceView, ShownText } from './instance-view.ts'

/** Whether an instance's id or any of its texts holds a phrase, letters' case aside. Of long texts the start is read. */
export const holdsWords = (instance: InstanceView, words: string): boolean => {
  const wanted = words.toLowerCase()
  return textsOf(instance).some((text) => startOf(text).toLowerCase().includes(wanted))
}

const startOf = (text: ShownText): string => (typeof text === 'string' ? text : text.head)

const textsOf = (instance: InstanceView): readonly ShownText[] => [
  instance.id,
  instance.prompt,
  ...instance.completions,
  ...instance.references.map(({ text }) => text),
  ...[instance.mapped, instance.error, instance.thinking].filter((text) => text !== undefined),
  ...instance.judges.flatMap(({ scores }) => scores.map(({ explanation }) => explanation)),
]
