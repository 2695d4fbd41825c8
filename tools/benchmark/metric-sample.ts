/** A metric of a workspace that runs as it stands. */
export const metricSample = (id: string): string => `import { defineMetric } from 'medmake'

const words = (text: string): readonly string[] => text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? []

// A share of 1, and more is better, unless \`unit\`, \`most\` and \`better\` say otherwise.
export const metric = defineMetric({
  measures: [{ name: '${id}', displayName: 'Words kept', description: 'Words of the reference that stand in the answer.' }],
  evaluate: ({ completion, references }) => {
    const wanted = words(references.find(({ correct }) => correct)?.text ?? '')
    const given = new Set(words(completion))
    return { ${/^[A-Za-z_]\w*$/.test(id) ? id : `'${id}'`}: wanted.length === 0 ? 1 : wanted.filter((word) => given.has(word)).length / wanted.length }
  },
})
`
