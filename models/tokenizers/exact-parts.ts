import { ProblemError } from '../../cache/problems/problem.ts'

type Part = Readonly<Record<string, unknown>>

/**
 * A tokenizer.json with every part that @huggingface/tokenizers 0.2.0 cuts otherwise than the original put in terms
 * that it cuts alike: white space (U+0085, U+FEFF) of `ByteLevel` and number characters of `Digits`.
 *
 * @throws ProblemError `models/tokenizer` where a part has no such terms: a count that is nearly right is wrong
 */
export const exactParts = (definition: Part, file: string): Part => {
  const inexact = INEXACT.find(({ found }) => found(definition))
  if (inexact !== undefined)
    throw new ProblemError({
      code: 'models/tokenizer',
      message: `its ${inexact.what} can't be cut exactly as the original does`,
      where: { file },
      remedy:
        'Take its folder away: prompts are then sent whole and records say that their length is unknown.',
    })
  return definition['pre_tokenizer'] == null
    ? definition
    : { ...definition, pre_tokenizer: exactPreTokenizer(partOf(definition['pre_tokenizer'])) }
}

/** Where GPT-2 cuts text (the pattern of `ByteLevel` with use_regex). */
const GPT2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

const exactPreTokenizer = (part: Part): Part => {
  switch (part['type']) {
    case 'Sequence':
      return { ...part, pretokenizers: partsOf(part['pretokenizers']).map(exactPreTokenizer) }
    case 'Digits':
      return isolated(part['individual_digits'] === true ? String.raw`\p{N}` : String.raw`\p{N}+`)
    case 'ByteLevel':
      return part['use_regex'] === false || part['add_prefix_space'] === true
        ? part
        : { type: 'Sequence', pretokenizers: [isolated(GPT2), { ...part, use_regex: false }] }
    default:
      return part
  }
}

const isolated = (pattern: string): Part => ({
  type: 'Split',
  pattern: { Regex: pattern },
  behavior: 'Isolated',
  invert: false,
})

/** What the library takes for something simpler. */
const INEXACT: readonly { readonly what: string; readonly found: (definition: Part) => boolean }[] = [
  {
    what: 'precompiled normalizer',
    found: (definition) => members(definition['normalizer'], 'normalizers').some(isOf('Precompiled')),
  },
  {
    what: 'whitespace pre-tokenizer',
    found: (definition) => preTokenizers(definition).some(isOf('Whitespace')),
  },
  {
    what: 'punctuation pre-tokenizer',
    found: (definition) =>
      preTokenizers(definition).some(
        (part) => part['type'] === 'Punctuation' && part['behavior'] !== 'Contiguous',
      ),
  },
  { what: 'split', found: (definition) => preTokenizers(definition).some(isInexactSplit(definition)) },
  {
    what: 'added token of single words',
    found: (definition) => partsOf(definition['added_tokens']).some((token) => token['single_word'] === true),
  },
  {
    what: 'unigram model with bytes',
    found: ({ model }) => isOf('Unigram')(partOf(model)) && partOf(model)['byte_fallback'] === true,
  },
  {
    // The original refuses the texts that would need one; the library gives them an id that is none.
    what: 'model without an unknown token',
    found: ({ model }) => {
      const { type, unk_id: id, unk_token: token, vocab } = partOf(model)
      if (type === 'Unigram') return typeof id !== 'number'
      return (type === 'WordLevel' || type === 'WordPiece') && !Object.hasOwn(partOf(vocab), String(token))
    },
  },
]

/** A split that merges is harmless at spaces that a normalizer has replaced before (Gemma's). */
const isInexactSplit =
  ({ normalizer }: Part) =>
  (part: Part): boolean => {
    if (part['type'] !== 'Split') return false
    if (part['behavior'] === 'Removed') return false
    if (part['behavior'] === 'Isolated') return part['invert'] === true
    const text = partOf(part['pattern'])['String']
    return !members(normalizer, 'normalizers').some(
      (each) =>
        each['type'] === 'Replace' &&
        typeof text === 'string' &&
        partOf(each['pattern'])['String'] === text &&
        !String(each['content']).includes(text),
    )
  }

const preTokenizers = (definition: Part): readonly Part[] =>
  members(definition['pre_tokenizer'], 'pretokenizers')

const members = (value: unknown, list: string): readonly Part[] => {
  const part = partOf(value)
  return part['type'] === 'Sequence' ? partsOf(part[list]).flatMap((each) => members(each, list)) : [part]
}

const isOf =
  (type: string) =>
  (part: Part): boolean =>
    part['type'] === type

const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {})
const partsOf = (value: unknown): readonly Part[] => (Array.isArray(value) ? value.map(partOf) : [])
