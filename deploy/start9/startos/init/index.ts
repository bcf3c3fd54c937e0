import { randomBytes } from 'node:crypto'
import { actions } from '../actions'
import { showCode } from '../actions/showCode'
import { restoreInit } from '../backups'
import { setDependencies } from '../dependencies'
import { store } from '../fileModels/store.json'
import { setInterfaces } from '../interfaces'
import { sdk } from '../sdk'
import { versionGraph } from '../versions'

/** Nobody but the owner of this server opens set-up. */
const makeCode = sdk.setupOnInit(async (effects, kind) => {
  const made = await store.read(({ setupCode }) => setupCode).once()
  if (!made) await store.merge(effects, { setupCode: randomBytes(12).toString('hex') })
  if (kind !== 'install') return
  await sdk.action.createOwnTask(effects, showCode, 'important', {
    reason: 'Set-up in the browser asks for this code.',
  })
})

export const init = sdk.setupInit(restoreInit, versionGraph, setInterfaces, setDependencies, actions, makeCode)

export const uninit = sdk.setupUninit(versionGraph)
