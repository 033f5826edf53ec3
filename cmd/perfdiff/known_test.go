package main

// stillWrong are the mutations to which some answer is wrong until a fault is mended, with the fault. One to
// which all are right has to leave the list.
var stillWrong = map[string]string{}

// stillBroken are the laws that the reports of a test break until a fault is mended, by the last part of
// the test's name, with the fault. One that is kept has to leave the list.
var stillBroken = map[string]map[string]string{}
