import { sdk } from './sdk'

// StartOS stops a service before it copies its volumes, so that the books are whole.
export const { createBackup, restoreInit } = sdk.setupBackups(async () => sdk.Backups.ofVolumes('main', 'startos'))
