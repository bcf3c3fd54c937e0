/**
 * Checks the house rules (`house-rules/rules.ts`) on the whole source tree. Prints each breach of a rule on a line, and
 * the number of lines of proof for each line of the product. Exits with 1 if a rule is broken. This is part of `npm run
 * check`.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generatedClients } from './clients/clients.ts'
import { checkCode, checkFileLengths, checkNames } from './house-rules/code-rules.ts'
import { checkDeadFiles, checkDirections, checkSelfContained, type PackageFacts } from './house-rules/import-rules.ts'
import { checkCircles, checkFolderCircles, checkLayers } from './house-rules/order-rules.ts'
import { readSourceTree } from './house-rules/source-tree.ts'
import { checkTried } from './house-rules/tried-rules.ts'
import { judgeWeight, weigh } from './house-rules/weight.ts'
import { checkOldTexts } from './house-rules/word-rules.ts'

/** Returns everything in a project's folder that breaks a rule, as `path: what`; empty if nothing does. */
export function checkHouseRules(root: string): string[] {
  const files = readSourceTree(resolve(root))
  const facts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageFacts
  return [
    ...checkDirections(files, facts),
    ...checkSelfContained(files),
    ...checkLayers(files),
    ...checkCircles(files),
    ...checkFolderCircles(files),
    ...checkDeadFiles(files, facts),
    ...checkNames(files),
    ...checkFileLengths(files),
    ...checkCode(files),
    ...checkTried(files),
    ...checkOldTexts(resolve(root), files),
  ]
}

/** Returns the generated client files that no longer match the interface, as `path: what`. */
function checkClients(root: string): string[] {
  return [...generatedClients()]
    .filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text)
    .map(([path]) => `${path}: is not what the interface makes of it now: run npm run docs`)
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const weight = judgeWeight(weigh(root))
  const broken = [...checkHouseRules(root), ...checkClients(root), ...weight.broken]
  console.log(weight.figures)
  for (const line of broken) console.error(line)
  console.log(broken.length === 0 ? 'House rules: all kept.' : `House rules: ${broken.length} broken.`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
