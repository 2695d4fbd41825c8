import type { Page } from 'playwright-core'

/** Attributes whose values decide what axe finds; of others only the name does, and whether it is empty. */
const VALUES = ['class', 'role', 'type', 'scope', 'tabindex', 'lang', 'rel']
const REFERENCES = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns']
/** What decides how letters look, and what they stand on. */
const LETTERS = ['color', 'fontSize', 'fontWeight', 'textDecorationLine', 'textShadow', 'borderBottomStyle']
const GROUND = ['backgroundColor', 'backgroundImage', 'opacity', 'position', 'filter', 'mixBlendMode']
const SEEN_THROUGH = 'rgba(0, 0, 0, 0),none,1,static,none,normal'

/** Forms of a page's elements, each once, as digests. */
export interface Forms {
  /**
   * An element without its words: name, attributes, all that it lies in, whether texts, elements, labels and the targets
   * of references are there and labels and ids differ, the heading before, whether it can be seen, and what
   * scrolls and holds nothing for the keyboard.
   */
  readonly structure: readonly number[]
  readonly looks: readonly Look[]
}

export interface Look {
  /** Letters that can be seen: their own colours and size, and all that they stand on; of a link all that it is. */
  readonly look: number
  /** The same, of an element of this structure. */
  readonly own: number
}

/** An expression of the page: the forms of all its elements as they stand. The page keeps which element has which. */
const FORMS = `(() => {
    const [values, references] = [new Set(${JSON.stringify(VALUES)}), new Set(${JSON.stringify(REFERENCES)})]
    const twice = (texts) => {
      const seen = new Set()
      return new Set(texts.filter((text) => seen.has(text) || !seen.add(text)))
    }
    const elements = [...document.querySelectorAll('*')]
    const ids = twice(elements.map(({ id }) => id).filter((id) => id !== ''))
    const named = (each) => each.localName + ' ' + each.getAttribute('aria-label')
    const labels = twice(elements.filter((each) => each.matches(':is(section, nav, aside, [role])[aria-label]')).map(named))
    const shown = (each, { name, value }) => {
      if (references.has(name))
        return name + ':' + value.split(' ').map((id) => document.getElementById(id)?.localName ?? '-')
      if (name === 'id') return ids.has(value) ? 'id twice' : ''
      if (name === 'aria-label') return 'label' + (value.trim() === '') + labels.has(named(each))
      // Each row has its own: a board of a thousand would be new row by row.
      if (name === 'aria-rowindex') return name
      if (values.has(name) || (name.startsWith('aria-') && value.length < 8)) return name + '=' + value
      return name + (value === '')
    }
    let heading = ''
    const scrolls = (overflow, by) => by > 1 && (overflow === 'auto' || overflow === 'scroll')
    const place = (each, { overflowX, overflowY }) => {
      if (!each.checkVisibility({ visibilityProperty: true })) return 'hidden'
      const before = heading
      if (/^h\\d$/.test(each.localName)) heading = each.localName
      const { right, bottom } = each.getBoundingClientRect()
      const ways = [
        scrolls(overflowX, each.scrollWidth - each.clientWidth),
        scrolls(overflowY, each.scrollHeight - each.clientHeight),
      ]
      return [
        ways.includes(true) && [...ways, each.querySelector('a, button, input, select, summary, [tabindex]') === null],
        right <= 0 || bottom + scrollY <= 0,
        heading === before || before,
      ].join()
    }
    const digest = (text) => {
      let [one, other] = [0xdeadbeef, 0x41c6ce57]
      for (let at = 0; at < text.length; at += 1) {
        one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
        other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
      }
      return 4294967296 * (2097151 & other) + (one >>> 0)
    }
    const isText = (node) => node.nodeType === 3 && node.data.trim() !== ''
    const forms = new Map()
    const styleOf = (style, names) => names.map((name) => style[name]).join()
    for (const each of elements) {
      const style = getComputedStyle(each)
      const attributes = [...each.attributes].map((attribute) => shown(each, attribute)).sort()
      const within = forms.get(each.parentElement) ?? { chain: 0, ground: 0, letters: '' }
      const chain = digest([within.chain, each.localName, ...attributes].join('|'))
      const hasText = [...each.childNodes].some(isText)
      const seen = place(each, style)
      const structure = digest([chain, seen, hasText, each.childElementCount > 0].join('|'))
      const painted = styleOf(style, ${JSON.stringify(GROUND)})
      const ground = painted === '${SEEN_THROUGH}' ? within.ground : digest(within.ground + painted)
      const letters = hasText || each.matches('input, select, textarea') ? styleOf(style, ${JSON.stringify(LETTERS)}) : ''
      const link = each.localName === 'a' && [structure, within.letters]
      const look = digest([ground, letters, link].join('|'))
      const looks = letters !== '' && seen !== 'hidden' ? [{ look, own: digest([look, structure].join('|')) }] : []
      forms.set(each, { chain, ground, letters, structure: [structure], looks })
    }
    globalThis.elementForms = forms
    const all = [...forms.values()]
    return {
      structure: [...new Set(all.flatMap(({ structure }) => structure))],
      looks: [...new Map(all.flatMap(({ looks }) => looks.map((each) => [each.own, each]))).values()],
    }
  })()`

export const formsOf = (page: Page): Promise<Forms> => page.evaluate<Forms>(FORMS)

/** Structures of the elements that an expression of the page gives. */
export const structuresOf = (page: Page, elements: string): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(
    `(${FORMS}, ${elements}.flatMap((each) => elementForms.get(each).structure))`,
  )
