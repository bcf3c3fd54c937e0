import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes these paths read-only for this user. Root ignores permissions, so for root an attribute of the file system is
 * set.
 */
export function onlyRead(paths: readonly string[]): () => void {
  const isRoot = process.getuid?.() === 0
  const set = (mark: string, mode: string) =>
    execFileSync(isRoot ? 'chattr' : 'chmod', [isRoot ? mark : mode, ...paths], { stdio: 'ignore' })
  set('+i', 'a-w')
  return () => set('-i', 'u+w')
}

/**
 * Returns whether this user can make paths read-only; root needs a file system with the attribute (ext4, xfs, or a
 * tmpfs of Linux 6.6).
 */
export function canBeReadOnly(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'read-only-'))
  try {
    onlyRead([folder])()
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
