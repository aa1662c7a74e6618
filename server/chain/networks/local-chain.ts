/** The chain that a sandbox runs, with the id that local nodes use by default. Official clients call it "hardhat", after one of them. */
export const localChain = { chainId: 31_337, name: "local-chain", title: "Local chain" } as const;
