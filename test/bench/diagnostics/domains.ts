/** The vocabulary of a domain, from which schemas of the corpus are composed. */
export interface Domain {
  readonly name: string;
  /** `Entity field:type …`; the type of a field may be another entity, an enum or an alias of the domain. */
  readonly entities: readonly string[];
  /** `Name:base VALUE …`. */
  readonly enums: readonly string[];
  /** `Name:type`. */
  readonly aliases: readonly string[];
  /** `Name Message with blanks`. */
  readonly errors: readonly string[];
}

export const domains: readonly Domain[] = [
  {
    name: "shop",
    entities: [
      "Customer id:CustomerId email:string address:Address joinedAt:timestamp",
      "Address street:string city:string zip:string",
      "Product sku:Sku title:string price:Money stock:uint32 tags:[]string",
      "Purchase id:uint64 buyer:Customer lines:[]PurchaseLine state:PurchaseState note?:string",
      "PurchaseLine product:Product quantity:uint16 discount?:float32",
    ],
    enums: ["PurchaseState:uint8 OPEN PAID SHIPPED RETURNED", "Currency:string EUR USD GBP"],
    aliases: ["CustomerId:uint64", "Sku:string", "Money:bigint"],
    errors: [
      "OutOfStock No more of it",
      "CustomerUnknown No such customer",
      "PaymentRefused The bank said no",
    ],
  },
  {
    name: "library",
    entities: [
      "Book isbn:Isbn title:string authors:[]Author year:int16 shelf?:Shelf",
      "Author name:string born?:timestamp languages:[]Language",
      "Shelf floor:uint8 letter:string",
      "Loan book:Book reader:Reader since:timestamp days:uint8 condition:Condition",
      "Reader card:CardNumber name:string fines:map<string,Cents>",
    ],
    enums: ["Condition:string fresh worn damaged", "Language:uint16 GERMAN FRENCH KOREAN"],
    aliases: ["Isbn:string", "CardNumber:uint32", "Cents:int64"],
    errors: ["BookLent Somebody has it", "CardExpired The card is too old", "ReaderBlocked Fines are open"],
  },
  {
    name: "bank",
    entities: [
      "Account iban:Iban owner:Person balance:Amount kind:AccountKind",
      "Person fullName:string birthday:timestamp documents:[]Document",
      "Document number:string issued:timestamp country:string",
      "Transfer source:Iban target:Iban amount:Amount reference:string status:TransferStatus",
      "Statement account:Account transfers:[]Transfer totals:map<string,Amount>",
    ],
    enums: ["AccountKind:uint8 CHECKING SAVINGS CREDIT", "TransferStatus:string pending booked rejected"],
    aliases: ["Iban:string", "Amount:bigint"],
    errors: [
      "AccountClosed The account is closed",
      "LimitExceeded Too much for one day",
      "IbanUnknown No such account",
    ],
  },
  {
    name: "clinic",
    entities: [
      "Patient number:PatientNumber name:string allergies:[]string insurer?:Insurer",
      "Insurer code:string title:string",
      "Visit patient:Patient doctor:Doctor at:timestamp urgency:Urgency",
      "Doctor license:string speciality:string rooms:[]uint16",
      "Prescription drug:string dose:Dose visit:Visit repeats?:uint8",
    ],
    enums: ["Urgency:uint8 LOW NORMAL HIGH CRITICAL", "Ward:string surgery internal children"],
    aliases: ["PatientNumber:uint64", "Dose:float64"],
    errors: [
      "SlotTaken The time is taken",
      "PatientMissing No such patient",
      "DoctorAway The doctor is away",
    ],
  },
  {
    name: "transit",
    entities: [
      "Station code:StationCode label:string platforms:uint8 position:Position",
      "Position latitude:float64 longitude:float64",
      "Journey legs:[]Leg fare:Fare departure:timestamp",
      "Leg origin:Station destination:Station vehicle:Vehicle minutes:uint32",
      "Ticket journey:Journey passenger:string barcode:[]byte",
    ],
    enums: ["Vehicle:string train tram bus ferry", "FareClass:uint8 FIRST SECOND"],
    aliases: ["StationCode:string", "Fare:uint32"],
    errors: [
      "NoConnection There is no way",
      "StationClosed The station is closed",
      "SoldOut All seats are taken",
    ],
  },
  {
    name: "chat",
    entities: [
      "Member handle:Handle displayName:string presence:Presence avatar?:Picture",
      "Picture url:string width:uint32 height:uint32",
      "Room title:string members:[]Member topic?:string pinned:[]Message",
      "Message author:Member body:string sentAt:timestamp reactions:map<string,uint32>",
      "Invitation room:Room guest:Handle expires:timestamp",
    ],
    enums: ["Presence:string online away offline", "Role:uint8 GUEST WRITER MODERATOR"],
    aliases: ["Handle:string", "RoomId:uint64"],
    errors: ["RoomFull No place left", "NotInvited You were not asked", "MessageTooLong Make it shorter"],
  },
  {
    name: "farm",
    entities: [
      "Field area:Hectares crop:Crop soil:Soil owner:Farmer",
      "Soil acidity:float32 moisture:float32 samples:[]float64",
      "Farmer surname:string phone:string machines:[]Machine",
      "Machine plate:string hours:uint32 lastService?:timestamp",
      "Harvest field:Field tons:float64 season:Season prices:map<string,uint64>",
    ],
    enums: ["Crop:string wheat barley maize rapeseed", "Season:uint8 SPRING SUMMER AUTUMN WINTER"],
    aliases: ["Hectares:float64", "Tons:float64"],
    errors: ["FieldFallow Nothing grows there", "MachineBroken It is in the workshop", "SeasonOver Too late"],
  },
  {
    name: "game",
    entities: [
      "Player nickname:Nickname level:uint16 inventory:[]Item guild?:Guild",
      "Item label:string weight:float32 rarity:Rarity",
      "Guild banner:string ranks:map<string,Rank> founded:timestamp",
      "Quest reward:Item steps:[]string minimumLevel:uint16",
      "Duel challenger:Player opponent:Player winner?:Nickname seed:int64",
    ],
    enums: ["Rarity:uint8 COMMON RARE LEGENDARY", "Rank:string recruit officer leader"],
    aliases: ["Nickname:string", "Score:uint64"],
    errors: [
      "InventoryFull Drop something first",
      "LevelTooLow Come back later",
      "GuildUnknown No such guild",
    ],
  },
  {
    name: "weather",
    entities: [
      "Sensor serial:SerialNumber place:Place kinds:[]Quantity active:bool",
      "Place village:string altitude:int16",
      "Reading sensor:Sensor value:float64 takenAt:timestamp quality:Quality",
      "Forecast place:Place temperatures:map<string,float32> risk?:Risk",
      "Risk storm:float32 flood:float32 frost:float32",
    ],
    enums: ["Quantity:string temperature pressure humidity", "Quality:int8 BAD UNKNOWN GOOD"],
    aliases: ["SerialNumber:string", "Degrees:float32"],
    errors: [
      "SensorSilent It does not answer",
      "ForecastStale Too old to be of use",
      "PlaceUnmapped Nobody lives there",
    ],
  },
  {
    name: "music",
    entities: [
      "Artist stageName:string genres:[]Genre label?:RecordLabel",
      "RecordLabel company:string country:string",
      "Track title:string seconds:Duration artists:[]Artist explicit:bool",
      "Playlist owner:string tracks:[]Track visibility:Visibility",
      "Royalty track:Track plays:uint64 payout:bigint splits:map<string,float64>",
    ],
    enums: ["Genre:string jazz techno folk opera", "Visibility:uint8 PRIVATE FRIENDS PUBLIC"],
    aliases: ["Duration:uint32", "TrackId:uint64"],
    errors: [
      "TrackWithdrawn It was taken down",
      "PlaylistFrozen Nobody may change it",
      "RegionLocked Not in your country",
    ],
  },
  {
    name: "freight",
    entities: [
      "Container serial:ContainerCode cargo:[]Cargo sealed:bool temperature?:int8",
      "Cargo description:string kilograms:Weight hazard:Hazard",
      "Vessel imo:uint32 flag:string containers:[]Container captain:Sailor",
      "Sailor surname:string rankTitle:string aboardSince:timestamp",
      "Manifest vessel:Vessel harbour:string duties:map<string,bigint>",
    ],
    enums: ["Hazard:uint8 NONE FLAMMABLE TOXIC", "Customs:string cleared held seized"],
    aliases: ["ContainerCode:string", "Weight:uint32"],
    errors: ["ContainerLost Nobody saw it", "HarbourClosed There is a storm", "CargoRefused It may not pass"],
  },
  {
    name: "school",
    entities: [
      "Pupil surname:string grade:Grade courses:[]Course guardian?:Guardian",
      "Guardian fullName:string telephone:string",
      "Course subject:Subject teacher:Teacher room:RoomNumber",
      "Teacher initials:string subjects:[]Subject substitute?:string",
      "Report pupil:Pupil marks:map<string,Mark> absences:uint16 remark:any",
    ],
    enums: ["Subject:string physics history latin sports", "Grade:uint8 FIFTH SIXTH SEVENTH"],
    aliases: ["RoomNumber:uint16", "Mark:float32"],
    errors: ["CourseFull No seats left", "PupilAbsent Not there today", "MarksLocked The term is over"],
  },
];
