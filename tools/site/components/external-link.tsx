import type { JSX } from 'preact'
import { visibleText } from '../visible-text.ts'

/** An address elsewhere; only of the web is it a link. */
export const ExternalLink = ({ href }: { readonly href: string }): JSX.Element =>
  /^https?:\/\//.test(href) ? (
    <a href={href} rel="noreferrer">
      {visibleText(href)}
    </a>
  ) : (
    <>{visibleText(href)}</>
  )
