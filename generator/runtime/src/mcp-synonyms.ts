/**
 * Words that people use for the same thing, in groups that fit the APIs of any business. `money_back` is a phrase. Verbs are the intents
 * of the search.
 */
export const synonyms: readonly (readonly string[])[] = `
person people user member individual human profile account who whom whose anybody anyone someone everybody everyone
customer client buyer shopper consumer purchaser payer cardholder patron contact guest subscriber, lead prospect opportunity potential
employee staff worker colleague coworker teammate personnel hire crew team_member member, attendee participant guest invitee
supplier vendor seller merchant provider manufacturer dealer partner buy_from, driver courier carrier, contact address_book
company organization org business firm enterprise corporation agency workspace merchant tenant, department team group unit division squad
administrator admin owner manager moderator supervisor operator, agent representative, sender from_whom, recipient receiver addressee
assign assignee assignment responsible in_charge delegate deputy give_to, group segment category class set collection bundle cohort list tag
student pupil learner classmate attend, teacher instructor tutor lecturer trainer teach, parent guardian mother father family
course class lesson training seminar, grade mark score rating point evaluate, homework coursework assignment exercise submission
submission submit hand_in handed_in turn_in turned_in, topic subject chapter section, material resource reading content
invite invitation join ask onboard, left leave quit fire deactivate offboard, role job position function title, skill qualification
bill invoice receipt statement, money payment pay paid fund cash amount transaction balance, balance total sum amount remaining left_over
refund reimburse reimbursement money_back give_back pay_back gave_back paid_back return_money, return send_back sent_back give_back, dispute chargeback complaint complain contest claim
price cost fee rate charge tariff expense worth how_much, discount coupon promotion promo voucher reduction deal, tax vat gst duty levy
salary wage compensation payroll income earn paid_per, payout withdrawal transfer disbursement pay_out paid_out bank_account, gift present voucher
card credit_card debit_card, debt owe overdue outstanding unpaid due, budget spend spending allowance limit quota, point reward loyalty bonus
subscription plan membership renew renewal recurring monthly subscribe, currency euro dollar exchange, revenue earning sale income turnover profit
product item good goods article merchandise sku catalog assortment sell, variant size color, stock inventory quantity warehouse in_stock still_have
order purchase sale bought, cart basket checkout, shop store location branch outlet site premises place venue where, address street postal moved_house
shipment delivery shipping parcel package ship deliver dispatch courier fulfillment track transport, quote offer estimate proposal quotation
contract agreement terms, sign signature signer, loan credit mortgage lend borrow, insurance policy coverage premium, donation donate charity
review rating feedback testimonial opinion, device terminal reader hardware appliance gadget, property house apartment home rent lease
trip travel flight journey ride, car vehicle, hotel room stay night, meal dish food menu restaurant, patient doctor medical health
message note text mail email letter chat sms, comment remark reply note annotation answer, channel conversation room thread chat group
notification notify alert inform reminder remind tell warn watch let_know, announcement announce news broadcast bulletin, alarm alert monitor
campaign newsletter mailing marketing, ad advertisement advertise, phone telephone mobile call number, call dial ring, blog post article
image picture photo avatar icon logo thumbnail photograph screenshot, video movie film clip recording, audio song music sound voice track
file document attachment attach paper pdf upload, folder directory album collection, playlist queue list, label tag keyword category marker
title name heading caption headline call rename, description describe text summary explanation about mean meaning
page website site web homepage, link url address webpage href web_page, template blueprint pattern sample, theme design look style appearance layout
follower follow subscriber watcher watch subscribe collaborator informed keep_updated, reaction like emoji vote upvote favorite favourite star
translation language locale translate localize, question answer, form questionnaire survey screen, document page wiki
task issue ticket todo to_do work job case bug, project undertaking initiative, goal objective target milestone aim, priority urgency importance
dashboard board overview, widget gadget, workflow process pipeline procedure flow transition, status state progress phase stage condition step
appointment booking reservation meeting event visit, schedule calendar date time when timetable agenda, reserve reservation book allocate allocation
shift timecard timesheet hour working_hours, worklog time_tracking time_entry hour track_time hours_worked record_time how_long, duration length how_long
break pause rest, vacation holiday leave absence time_off out_of_office, deadline due due_date, recurring repeat recurrence every_day every_week
dependency dependent depend prerequisite blocked wait_for, subtask step child, component part module piece, type kind sort category
field attribute property column custom_field extra_field additional_field own_field extra_value, option choice value drop_down dropdown enum possibility selection
setting configuration configure preference option set_up, default standard normal usual usually, rule policy condition constraint, limit quota cap
record entry row item, history log audit activity past changelog happen, event happening happen, report analysis statistic analytics metric figure insight
filter saved_search query, version revision release history, trash recycle bin, forward pass_on passed_on, draft unpublished unsent unfinished, archive hide old, merge combine join_together, usage consumption
import load upload, export download extract, backup snapshot, definition define meaning schema, number count amount quantity how_many
refresh sync synchronize reload, calculate compute evaluate expression formula computation calculation, relation link relationship association connection between
password credential secret passphrase, login signin session authenticate authentication log_in sign_in get_in, token key credential, certificate ssl tls
permission access right allow privilege grant may, share sharing shared visible visibility public, block ban blacklist forbid spam, unsubscribe opt_out
verify verification check confirm identity validate, security protection protect secure restrict, fraud scam suspicious risk, private confidential hidden
server machine host instance computer, app application plugin addon integration extension program bot tool, webhook callback endpoint url
error failure problem fault crash exception fail wrong, deploy deployment release publish rollout, repository repo code, domain hostname dns
disk volume storage space, database table, region zone country area, environment stage, network subnet, wallet coin crypto
`
  .trim()
  .split(/\n|, /)
  .map((group) => group.split(" "));
