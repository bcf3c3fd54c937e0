import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { ConfigProblem, parseConfig } from '../../config/config.ts'
import {
  BACKENDS,
  type BackendName,
  definitionOf,
  type Question,
  type Variable,
} from '../../payments-service/engine/node/backend-list.ts'
import type { Runtime } from '../runtime.ts'
import { checkNode, type NodeCheck } from './check-node.ts'
import type { Prompter } from './prompter.ts'
import { writtenAs } from './questions.ts'

/** The variables that set-up writes to the `.env` file. For an undefined value, it removes the variable's line. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The settings of all nodes, as undefined values: set-up removes those of the nodes that were not chosen. */
export const NO_NODE: Variables = Object.fromEntries(
  BACKENDS.flatMap(({ variables }) =>
    // A secret in .env itself would contradict the file that is named now.
    Object.values<Variable>(variables).flatMap((variable) =>
      [variable.name, writtenAs(variable)].map((each) => [each, undefined]),
    ),
  ),
)

/** Returns the kinds of nodes for which the environment contains settings. The packages of home servers set them. */
export function preparedNodes(environment: Variables): readonly BackendName[] {
  const isPrepared = ({ variables }: (typeof BACKENDS)[number]) =>
    Object.values<Variable>(variables).some((variable) => environment[writtenAs(variable)])
  return BACKENDS.filter(isPrepared).map(({ kind }) => kind)
}

interface NodeAnswer {
  readonly variables: Variables
  readonly isReady: boolean
}

/**
 * Asks for a node's settings, connects to the node, and tests every right. Asks until the node is ready, the person
 * says that it will be ready later, or the person goes `back` to the choice of node. Variables in `environment` take
 * precedence in any case, so set-up does not ask for them.
 */
export async function askNode(
  prompter: Prompter,
  kind: BackendName,
  runtime: Runtime,
  environment: Variables,
): Promise<NodeAnswer | 'back'> {
  if (!preparedNodes(environment).includes(kind)) prompter.say(`   ${definitionOf(kind).advice}`)
  let variables = await askSettings(prompter, kind, environment)
  for (;;) {
    const check = await tryNode(variables, runtime)
    if (check.ok) {
      for (const line of check.says) prompter.say(`   ${line}`)
      return { variables, isReady: true }
    }
    prompter.say(`   ✗ ${check.why}`)
    const typed = await prompter.ask(
      '   [Enter] to retry · type another path or address · "change" to answer again · "back" for another node · "later" to save anyway: ',
      {
        choices: [
          { value: '', label: 'Try again' },
          { value: 'change', label: 'Change the settings' },
          { value: 'back', label: 'Choose another node' },
          { value: 'later', label: 'Save, and connect it later' },
        ],
        isAside: true,
      },
    )
    const next = typed.toLowerCase()
    if (next === 'later') return { variables, isReady: false }
    if (next === 'back') return 'back'
    if (next === 'change') variables = await askSettings(prompter, kind, environment)
    else if (typed !== '') variables = withOther(prompter, variables, typed, check.why)
  }
}

/** Returns the settings with the path or address of the faulty one replaced by what the person typed. */
function withOther(prompter: Prompter, variables: Variables, typed: string, why: string): Variables {
  const set = Object.keys(variables).filter((name) => variables[name] !== undefined && name !== 'LIGHTNING_BACKEND')
  const isAddress = /^https?:\/\//i.test(typed)
  const fits = set.filter((name) => name.endsWith(isAddress ? '_URL' : '_FILE'))
  const missing = (name: string) => !isAddress && !existsSync(variables[name] ?? '')
  const name = fits.find((each) => why.includes(each)) ?? fits.find(missing) ?? fits[0]
  if (name === undefined) return variables
  prompter.say(`   ${name} is ${typed} now.`)
  return { ...variables, [name]: atHome(typed) }
}

async function askSettings(prompter: Prompter, kind: BackendName, environment: Variables): Promise<Variables> {
  const variables: Record<string, string | undefined> = { LIGHTNING_BACKEND: kind, ...NO_NODE }
  let address: string | undefined
  for (const variable of Object.values(definitionOf(kind).variables)) {
    if (variable.form === 'choice') continue
    const [name, usual] = [writtenAs(variable), usualOf(variable.question)]
    const set = environment[name]
    if (set) {
      prompter.say(`   ${name} is set in the environment: ${set}`)
      variables[name] = set
    } else {
      // A secret that was given for one node is not offered for another.
      const owner = variable.form === 'secret' && address !== undefined ? ` for ${address}` : ''
      const typed = await prompter.ask(`   ${variable.question.what}${owner} (${name}; empty for ${usual}): `)
      variables[name] = atHome(typed || usual)
    }
    if (variable.form === 'url') address = variables[name]
  }
  return variables
}

function usualOf({ usual, orElse }: Question): string {
  return orElse !== undefined && !existsSync(usual) && existsSync(atHome(orElse)) ? orElse : usual
}

/** Replaces a leading `~`, which only a shell understands, with the home folder. */
function atHome(path: string): string {
  return path.replace(/^~(?=\/)/, homedir())
}

async function tryNode(variables: Variables, runtime: Runtime): Promise<NodeCheck> {
  try {
    const { lightning } = parseConfig(variables).service
    if (lightning.kind === 'sandbox') throw new TypeError('the sandbox is not a node')
    return await checkNode(lightning, runtime)
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error
    return { ok: false, why: error.problems.join('\n     ') }
  }
}
