import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadHuggingFaceTokenizer } from '../../../models/tokenizers/hugging-face.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { shared } from '../../rig/shared.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const fixtures = join(import.meta.dirname, '../../fixtures/tokenizers')

/** By the original tokenizers; see make.py beside it. */
const expected = JSON.parse(await readFile(join(fixtures, 'expected.json'), 'utf8')) as {
  readonly texts: readonly string[]
  readonly digests: Readonly<Record<string, readonly string[]>>
}

const wrongTexts = async (folder: string, digests: readonly string[]): Promise<readonly string[]> => {
  const tokenizer = await loadHuggingFaceTokenizer(folder)
  return expected.texts.filter((text, index) => {
    const ids = tokenizer.encode(text)
    const heads = Array.from({ length: ids.length + 1 }, (_, length) =>
      tokenizer.decode(ids.slice(0, length)),
    ).slice(-40)
    const digest = createHash('sha256')
      .update(JSON.stringify([ids, heads]))
      .digest('hex')
    return digest.slice(0, 8) !== digests[index]
  })
}

describe('loadHuggingFaceTokenizer', () => {
  const { 'smollm2-135m-instruct': smollm = [], ...made } = expected.digests

  it.each(Object.entries(made))(
    'gives the ids and texts of the original for a %s tokenizer',
    async (name, digests) => {
      expect(await wrongTexts(join(fixtures, name), digests)).toEqual([])
    },
  )

  const folder = shared('models/smollm2-135m-instruct')
  it.skipIf(folder === undefined)('gives the ids and texts of the original for a real model', async () => {
    expect(await wrongTexts(folder ?? '', smollm)).toEqual([])
  })

  it.skipIf(folder === undefined)(
    'reads special tokens in rendered prompts as the model was asked',
    async () => {
      const tokenizer = await loadHuggingFaceTokenizer(folder ?? '')
      const { prompts } = JSON.parse(await readFile(join(folder ?? '', 'expected.json'), 'utf8')) as {
        prompts: { rendered: string; input_ids: number[] }[]
      }
      expect(prompts.map(({ rendered }) => tokenizer.encode(rendered))).toEqual(
        prompts.map(({ input_ids: ids }) => ids),
      )
    },
  )

  it('does without a tokenizer_config.json, and not with a damaged one', async () => {
    const file = await readFile(join(fixtures, Object.keys(made)[0] ?? '', 'tokenizer.json'))
    const load = async (config: string | undefined): Promise<readonly number[]> => {
      const folder = temporaryFolder()
      await writeFile(join(folder, 'tokenizer.json'), file)
      if (config !== undefined) await writeFile(join(folder, 'tokenizer_config.json'), config)
      return (await loadHuggingFaceTokenizer(folder)).encode('two words')
    }
    expect(await load(undefined)).toEqual(await load('{}'))
    for (const damaged of ['{"bos', '[]', 'null'])
      expect(await problemOf(() => load(damaged))).toMatchObject({ code: 'models/tokenizer' })
  })

  it.each([
    ['an inexact normalizer', { normalizer: { type: 'Precompiled' } }, 'precompiled normalizer'],
    [
      'a hidden inexact part',
      { pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Whitespace' }] } },
      'whitespace',
    ],
    [
      'a merging split',
      {
        pre_tokenizer: {
          type: 'Split',
          pattern: { String: '-' },
          behavior: 'MergedWithNext',
          invert: false,
        },
      },
      'split',
    ],
    [
      'a split by what does not match',
      { pre_tokenizer: { type: 'Split', pattern: { Regex: 'a' }, behavior: 'Isolated', invert: true } },
      'split',
    ],
    [
      'a unigram model that has no token for unknown characters',
      {
        model: {
          type: 'Unigram',
          vocab: [
            ['a', -1],
            ['b', -2],
          ],
          unk_id: null,
        },
      },
      'without an unknown token',
    ],
    [
      'a model of words that lacks its token for unknown ones',
      { model: { type: 'WordLevel', vocab: { a: 0 }, unk_token: '<unk>' } },
      'without an unknown token',
    ],
    [
      'one of their pieces that names none',
      { model: { type: 'WordPiece', vocab: { a: 0 } } },
      'without an unknown token',
    ],
    ['no model at all', { model: undefined }, "can't be used"],
  ])('refuses %s, as a count that is nearly right is wrong', async (_, change, message) => {
    const folderOf = join(temporaryFolder(), 'tokenizer')
    await mkdir(folderOf)
    const sound = JSON.parse(await readFile(join(fixtures, 'byte-level/tokenizer.json'), 'utf8')) as object
    await writeFile(join(folderOf, 'tokenizer.json'), JSON.stringify({ ...sound, ...change }))
    expect(await problemOf(() => loadHuggingFaceTokenizer(folderOf))).toMatchObject({
      code: 'models/tokenizer',
      message: expect.stringContaining(message) as string,
      where: { file: join(folderOf, 'tokenizer.json') },
    })
  })

  it('leaves out characters that a vocabulary without an unknown token lacks, as the original does', async () => {
    const folderOf = temporaryFolder()
    const parts = {
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: null,
      post_processor: null,
      decoder: null,
    }
    const model = { type: 'BPE', vocab: { a: 0, b: 1 }, merges: [] }
    await writeFile(join(folderOf, 'tokenizer.json'), JSON.stringify({ version: '1.0', ...parts, model }))
    const tokenizer = await loadHuggingFaceTokenizer(folderOf)
    expect([tokenizer.encode('aéb'), tokenizer.encodeWhole('éb')]).toEqual([[0, 1], [1]])
  })

  it('names a file that is cut off', async () => {
    const torn = temporaryFolder()
    await writeFile(join(torn, 'tokenizer.json'), '{"model": {')
    expect(await problemOf(() => loadHuggingFaceTokenizer(torn))).toMatchObject({ code: 'models/tokenizer' })
  })
})
