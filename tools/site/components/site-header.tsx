import type { JSX } from 'preact'
import type { NavigationEntry } from '../site-page.ts'
import { visibleText } from '../visible-text.ts'

export interface SiteHeaderProps {
  readonly navigation: readonly NavigationEntry[]
  /** `path` of the entry that the reader is on or below. */
  readonly here?: string | undefined
  /** Prefix of addresses that leads to the site's root. */
  readonly root: string
  /** Pages above this one, the outermost first, and its own title. */
  readonly trail: readonly { readonly label: string; readonly href?: string }[]
}

/** The site's name and pages, and where among them this page is. */
export const SiteHeader = ({ navigation, here, root, trail }: SiteHeaderProps): JSX.Element => (
  <header class="masthead">
    <p class="masthead-name">Medical model evaluations</p>
    <nav aria-label="Site">
      <ul class="pages">
        {navigation.map(({ label, path }) => (
          <li key={path}>
            <a href={root + path} aria-current={path === here ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {trail.length < 2 ? null : (
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <ol class="trail">
          {trail.map(({ label, href }) => (
            <li key={label} aria-current={href === undefined ? 'page' : undefined}>
              {href === undefined ? visibleText(label) : <a href={href}>{visibleText(label)}</a>}
            </li>
          ))}
        </ol>
      </nav>
    )}
  </header>
)
