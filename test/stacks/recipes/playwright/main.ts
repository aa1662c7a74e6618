import { getPet } from "./generated/client.ts";

const { pet } = await getPet({ url: location.origin }, { id: 1 });
document.querySelector("p")?.append(pet.name);
