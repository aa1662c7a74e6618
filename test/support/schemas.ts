/** A schema without a fault: 2 methods, 2 types, 1 error of its own. */
export const good: string = `webrpc = v1

name = pets
version = v1.0.0
basepath = /rpc

struct Pet
  - id: uint64
  - name: string

enum Kind: uint8
  - CAT
  - DOG

error 1 PetGone "The pet is gone" HTTP 404

service Pets
  @internal
  - FindPet(id: uint64) => (pet: Pet) errors PetGone
  - ListPets() => (pets: []Pet)
`;

/** One error, RK308, at 8:9. */
export const bad: string = `webrpc = v1

name = pets
version = v1.0.0
basepath = /rpc

struct Pet
  - kind: Kin

enum Kind: uint8
  - CAT

service Pets
  - FindPet() => (pet: Pet)
`;

/** One warning, RK305: no basepath. */
export const doubtful: string = good.replace("basepath = /rpc\n", "");
