import { expect, test } from 'vitest'
import { disagreementPage, type ShownDisagreement } from '../../../tools/rating-desk/disagreement-page.tsx'

const rating = {
  rater: 'ann',
  composite: 4.5,
  scores: { accuracy: 5, clarity: 4 },
  safety: false,
  event: 'e',
}

const shown = (
  disagreement: Partial<ShownDisagreement['disagreement']>,
  more: Partial<ShownDisagreement> = {},
): ShownDisagreement => ({
  disagreement: {
    answer: { jury: 3 },
    ratings: [rating],
    safety: 0,
    referenceWrong: 0,
    clinicians: null,
    jury: 1.5,
    reasons: ['jury'],
    ...disagreement,
  } as unknown as ShownDisagreement['disagreement'],
  number: 7,
  item: undefined,
  comments: [undefined],
  ...more,
})

test('An answer to talk about says on which side of the jury clinicians are, and what each of them gave and fears', async () => {
  const { html } = await disagreementPage([
    shown({}),
    shown({ jury: -2, ratings: [{ ...rating, safety: true }] }, { comments: ['<b>too</b> bold'] }),
    shown({
      jury: null,
      answer: { jury: null } as unknown as ShownDisagreement['disagreement']['answer'],
      ratings: [{ ...rating, composite: null, scores: {}, reason: 'unclear' }],
    }),
  ])
  const [, above = '', below = '', open = ''] = html.split('<article')
  expect(html).toContain('<h1>3 answers to talk about</h1>')
  expect(above).toContain('Jury 3.00; clinicians above it by 1.50')
  expect(above).toContain('<b>ann</b> 4.50 accuracy 5, clarity 4</li>')
  expect(above).toContain('No run holds this answer any more.')
  expect(below).toContain('clinicians below it by 2.00')
  expect(below).toContain('accuracy 5, clarity 4 – could harm<q>&lt;b')
  expect(open).toMatch(/Jury –<\/p>/)
  expect(open).toContain('<b>ann</b> unclear')
})

test('Texts of an answer stand on the page as they are, the reference where there is one, and no script may run', async () => {
  const item = {
    question: 'Q <script>',
    answer: 'A1',
    reference: null,
  } as unknown as ShownDisagreement['item']
  const { html, policy } = await disagreementPage([shown({}, { item })])
  expect(html).toContain('Q &lt;script>')
  expect(html).not.toContain('Reference answer')
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/)
  const withReference = { ...item, reference: 'R1' } as ShownDisagreement['item']
  expect((await disagreementPage([shown({}, { item: withReference })])).html).toMatch(/Reference answer.*R1/s)
})
