import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonPieces } from '../../../../tools/helm/write/json-pieces.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const file = join(temporaryFolder(), 'list.json')

const elements = async (text: string, key = ''): Promise<readonly unknown[]> => {
  writeFileSync(file, text)
  const found: unknown[] = []
  for await (const piece of jsonPieces(file, [key], (element): unknown => JSON.parse(element)))
    if (piece.index >= 0) found.push(piece.value ?? JSON.parse(piece.text))
  return found
}

const linkTo = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Elements in Python's layout, in any other, and in lines that only look like it. */
const element = fc
  .tuple(
    fc.dictionary(fc.constantFrom('a', '}', '{', '\n  }', '"\\'), fc.jsonValue({ maxDepth: 3 })),
    fc.nat(4),
  )
  .map(([value, indent]) => ({
    value,
    text: JSON.stringify(value, undefined, indent).replaceAll('\n', `\n${' '.repeat(indent)}`),
  }))

describe('cutting a list into its elements', () => {
  it('finds the elements that JSON.parse finds, whatever the layout', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(element), fc.constantFrom('\n  ', '\n    ', ''), async (list, margin) => {
        const text = `[${list.map((each) => margin + each.text).join(',')}\n]`
        const values = JSON.parse(text) as unknown
        expect(await elements(text)).toEqual(values)
        expect(await elements(`{"other": [{}],\n "list": ${text}, "last": 1}`, 'list')).toEqual(values)
      }),
      { numRuns: 300 },
    )
  })

  it('finds the end of a text whose escapes lie across two blocks', async () => {
    for (const before of [-3, -2, -1, 0]) {
      const filler = 'x'.repeat((1 << 16) + before - '[{"a": "'.length)
      const list = [{ a: `${filler}"]}, [{`, b: 1 }, { a: 2 }]
      expect(await elements(JSON.stringify(list, undefined, ' '))).toEqual(list)
      expect(await elements(`[{"a": ${JSON.stringify(list[0]?.a)}, "b": 1}, {"a": 2}]`)).toEqual(list)
    }
  })

  it('finds elements that lie across the blocks in which a file is read', async () => {
    const list = Array.from({ length: 40 }, (_, index) => ({
      index,
      text: 'é"\n'.repeat(3000 * (index % 7)),
    }))
    expect(await elements(JSON.stringify(list, undefined, 2))).toEqual(list)
    expect(await elements(JSON.stringify(list))).toEqual(list)
  })

  it('tears no character that lies across two blocks', async () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const list = [{ text: before + '\u{1f9ec}'.repeat(40_000) }]
      expect(await elements(JSON.stringify(list))).toEqual(list)
    }
  })

  it.skipIf(!existsSync('/proc/self/fd'))('closes a file whose reader wants no more of it', async () => {
    writeFileSync(file, JSON.stringify(Array.from({ length: 5 }, (_, index) => ({ index }))))
    const handles = (): readonly string[] =>
      readdirSync('/proc/self/fd').filter((handle) => linkTo(`/proc/self/fd/${handle}`) === file)
    for await (const { index } of jsonPieces(file, [''], (element): unknown => JSON.parse(element))) {
      expect(handles()).toHaveLength(1)
      if (index === 1) break
    }
    expect(handles()).toEqual([])
  })

  it('names a list that is cut short within an element or between two', async () => {
    const text = JSON.stringify([{ a: 1 }, { b: { c: 2 } }], undefined, 2)
    for (let length = 0; length < text.length; length += 1)
      await expect(elements(text.slice(0, length))).rejects.toThrow()
  })

  it('passes over no text between elements', async () => {
    await expect(elements('[\n  {\n    "a": 1\n  } 5,\n  {\n    "a": 2\n  }\n]')).rejects.toThrow(SyntaxError)
  })
})

describe('bytes that are no UTF-8', () => {
  /** Lines of a list whose chunks end within characters of two bytes, too. */
  const lines = (count: number): string =>
    `[\n${Array.from({ length: count }, (_, n) => `"${'é'.repeat(50)}${n}"`).join(',\n')}\n]`

  const read = async (): Promise<void> => {
    for await (const piece of jsonPieces(file, [''], (each): unknown => JSON.parse(each))) void piece
  }

  it.each([
    ['in the first chunk', 3],
    ['in a later one, beside U+FFFD of the file’s own', 2000],
  ])('%s are told with their line, in the place of a text with other characters', async (_, line) => {
    const text = lines(2500).replace('"é', '"\ufffd')
    const all = text.split('\n')
    const offset = Buffer.byteLength(all.slice(0, line - 1).join('\n')) + 2
    const bytes = Buffer.from(text)
    bytes[offset] = 0xff
    writeFileSync(file, bytes)
    expect(await problemOf(read)).toMatchObject({
      code: 'system/not-utf8',
      message: `the file is not UTF-8: byte 0xff at offset ${offset}`,
      where: { file, line, column: 2 },
    })
  })

  it('are none where the file itself holds U+FFFD, and half a character at its end is one', async () => {
    const text = lines(2500).replaceAll('"é', '"\ufffd')
    expect(await elements(text)).toEqual(JSON.parse(text))
    writeFileSync(file, Buffer.concat([Buffer.from('["a"]\n'), Buffer.of(0xc3)]))
    expect(await problemOf(read)).toMatchObject({ code: 'system/not-utf8', where: { line: 2 } })
  })
})
