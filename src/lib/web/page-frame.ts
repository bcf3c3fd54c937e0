import { isRightToLeft } from './direction.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { inlineFile, joinFiles } from './inline-file.ts'

/** What surrounds the body of every page. */
export interface PageFrame {
  /** A BCP 47 tag. Default: English. */
  readonly language?: string
  readonly title: string
  /** False: search engines may list the page. Pages of one person are never listed. */
  readonly hidden?: boolean
  /** Further content of the head: the style sheet, scripts, a refresh. */
  readonly head?: HtmlPart
  readonly bodyClass?: string
}

/** The style sheet of all pages. A page's own follows it. */
export const BASE_STYLE = inlineFile(new URL('./base.css', import.meta.url))

/** The style sheet of a page with one card. A page's own follows it. */
export const CARD_STYLE = joinFiles(BASE_STYLE, inlineFile(new URL('./card-page.css', import.meta.url)))

/** Builds a whole HTML document, for phones and desktops, light and dark. */
export function pageFrame({ language = 'en', title, hidden = true, head, bodyClass }: PageFrame, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
${hidden && html`<meta name="robots" content="noindex">`}
<title>${title}</title>
${head}
</head>
<body${bodyClass !== undefined && html` class="${bodyClass}"`}>
${body}
</body>
</html>`
}
