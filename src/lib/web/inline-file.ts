import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Html } from './html.ts'

/** Our own file, a style sheet or a script, to stand in a page as it is. */
export function inlineFile(file: URL): Html {
  return new Html(readFileSync(file, 'utf8'))
}

/** Files as one, in this order, to stand in one `<style>` or `<script>`. */
export function joinFiles(...files: readonly Html[]): Html {
  return new Html(files.map(({ text }) => text).join('\n'))
}

/** How a Content-Security-Policy names a script or a style that is in the page: by its hash (CSP 3, "hash-source"). */
export function hashForPolicy(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
