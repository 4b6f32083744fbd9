import { PROGRAM_NETWORKS } from './program-network-table.ts';

export const findNetwork = PROGRAM_NETWORKS.find();
export const saveNetwork = PROGRAM_NETWORKS.save();
export const purgeProgramNetworks = PROGRAM_NETWORKS.purge('expiresAt');
