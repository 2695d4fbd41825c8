import { expect, test } from 'vitest'
import { asJson, storedList, storedShape } from '../../cache/stored-shape.ts'

interface Answer {
  readonly text: string
  readonly tokens: number | null
  readonly note?: string
}

const read = storedShape<Answer>('an answer', { text: 'text', tokens: 'number' })

test('A stored value is read as its shape, and nothing where there is none.', () => {
  const answer: Answer = { text: 'yes', tokens: 3 }
  expect(read(asJson(answer))).toEqual(answer)
  expect(read(undefined)).toBeUndefined()
})

test.each([[null], ['yes'], [3], [[]], [{}], [{ text: 'yes', tokens: '3' }], [{ text: null, tokens: 3 }]])(
  '%j is no answer, and no miss either',
  (value) => {
    expect(() => read(value)).toThrow('the store holds something else where an answer should be')
  },
)

test('A value without the object that tells its shape is another one.', () => {
  const reply = storedShape<{ readonly key: object; readonly reply: object }>('a reply', {
    key: 'object',
    reply: 'object',
  })
  expect(reply({ key: {}, reply: {} })).toEqual({ key: {}, reply: {} })
  expect(() => reply({ key: {} })).toThrow('the store holds something else where a reply should be')
  expect(() => reply({})).toThrow('something else')
})

test('A list is read item by item.', () => {
  const list = storedList<Answer>('an answer', { text: 'text' })
  expect(list([{ text: 'a', tokens: null }])).toEqual([{ text: 'a', tokens: null }])
  expect(() => list([{ text: 'a' }, { words: 'b' }])).toThrow('something else')
  expect(() => list({ text: 'a' })).toThrow('something else')
})

test('What JSON cannot hold is no JSON to the compiler.', () => {
  // @ts-expect-error a date would come back as a text
  expect(asJson({ at: new Date(0) })).toBeDefined()
  // @ts-expect-error undefined is no JSON
  expect(asJson({ at: undefined })).toBeDefined()
})

test('A list is no object, even one of which no field is told.', () => {
  const note = storedShape<{ readonly note?: string }>('a note', {})
  expect(note({})).toEqual({})
  expect(() => note([])).toThrow('something else where a note should be')
})
