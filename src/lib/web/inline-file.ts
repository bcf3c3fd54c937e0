import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Html } from './html.ts'

/** Reads our own style sheet or script, to include in a page unchanged. */
export function inlineFile(file: URL): Html {
  return new Html(readFileSync(file, 'utf8'))
}

/** Joins files in the given order, for one `<style>` or `<script>`. */
export function joinFiles(...files: readonly Html[]): Html {
  return new Html(files.map(({ text }) => text).join('\n'))
}

/**
 * Returns the hash by which a Content-Security-Policy identifies a script or style in the page (CSP 3, "hash-source").
 */
export function hashForPolicy(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
